/** The options of games in words. */

import type { OptionSpec, Options, Value } from '../wire';
import { heading, valueWords } from '../app/words';

/** The name of an option, "Numbers under the towers", and details, "dice, or a list". */
export function optionHelp({ help, readings }: OptionSpec): { name: string; more: string } {
  if (readings) return { name: 'Way to play', more: help };
  const [, name = help, more = ''] = /^([^:;]*)[:;] (.*)$/.exec(help) ?? [];
  return { name, more };
}

/** "stay hidden", "Friendly", "3". */
export function choiceWords({ choices = [], labels, readings }: OptionSpec, value: Value): string {
  const index = choices.findIndex((choice) => choice === value);
  return labels?.[index] ?? readings?.[index]?.label ?? valueWords(value);
}

/** "Covered pyramids: stay hidden" for each option; "Memory: on" for an unknown one. */
export function optionsWords(options: Options, specs: readonly OptionSpec[]): string[] {
  return Object.entries(options).map(([name, value]) => {
    const spec = specs.find((known) => known.name === name);
    return spec ? `${optionHelp(spec).name}: ${choiceWords(spec, value)}` : `${heading(name)}: ${valueWords(value)}`;
  });
}

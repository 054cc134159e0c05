/** The options of games in words. */

import type { OptionSpec, Options, Value } from '../wire';
import { heading, valueWords } from '../app/words';

/** What an option is about, "Numbers under the towers", and what more there is to say, "dice, or a list". */
export function optionHelp({ help, readings }: OptionSpec): { name: string; more: string } {
  if (readings) return { name: 'Way to play', more: help };
  const [, name = help, more = ''] = /^([^:;]*)[:;] (.*)$/.exec(help) ?? [];
  return { name, more };
}

/** "stay hidden", "Friendly", "3". */
export function choiceWords({ choices = [], labels, readings }: OptionSpec, value: Value): string {
  const index = choices.findIndex((one) => one === value);
  return labels?.[index] ?? readings?.[index]?.label ?? valueWords(value);
}

/** "Covered pyramids: stay hidden" for each option; where it is not known what they mean, "Memory: on". */
export function optionsWords(options: Options, specs: readonly OptionSpec[]): string[] {
  return Object.entries(options).map(([name, value]) => {
    const spec = specs.find((one) => one.name === name);
    return spec ? `${optionHelp(spec).name}: ${choiceWords(spec, value)}` : `${heading(name)}: ${valueWords(value)}`;
  });
}

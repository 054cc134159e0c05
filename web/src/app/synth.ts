/** Plays voices with the Web Audio API. */

import type { Voice } from './sounds';

/** Exponential ramps can't reach zero. */
const SILENCE = 0.0001;
const REVERB = { seconds: 0.9, gain: 0.16 };
const NOISE_SECONDS = 1;

export class Synth {
  #context: BaseAudioContext;
  #master: GainNode;
  #noise: AudioBuffer;

  constructor(context: BaseAudioContext) {
    this.#context = context;
    this.#master = context.createGain();
    this.#noise = noise(context, NOISE_SECONDS, () => 1);
    // Prevents clipping, however many sounds play at a time.
    const limiter = new DynamicsCompressorNode(context, {
      threshold: -14,
      knee: 8,
      ratio: 14,
      attack: 0.002,
      release: 0.18,
    });
    const reverb = new ConvolverNode(context, {
      buffer: noise(context, REVERB.seconds, (position) => (1 - position) ** 3),
    });
    const echo = new GainNode(context, { gain: REVERB.gain });
    this.#master.connect(limiter);
    this.#master.connect(reverb).connect(echo).connect(limiter);
    limiter.connect(context.destination);
  }

  /** `level`: from 0 to 1. */
  play(voices: readonly Voice[], level: number, after = 0): void {
    const start = this.#context.currentTime + after;
    const out = new GainNode(this.#context, { gain: level });
    out.connect(this.#master);
    const ends = voices.map((voice) => this.#strike(voice, start + voice.at, out));
    const last = ends.reduce((a, b) => (a.end > b.end ? a : b));
    last.source.onended = () => out.disconnect();
  }

  #strike(voice: Voice, at: number, out: AudioNode): { source: AudioScheduledSourceNode; end: number } {
    const { attack, ring, gain } = voice;
    const end = at + attack + ring;
    const envelope = this.#context.createGain();
    envelope.gain.setValueAtTime(SILENCE, at);
    envelope.gain.exponentialRampToValueAtTime(gain, at + attack);
    envelope.gain.exponentialRampToValueAtTime(SILENCE, end);
    envelope.connect(out);
    const source =
      voice.kind === 'tone' ? this.#tone(voice, at, end, envelope) : this.#breath(voice, at, end, envelope);
    source.start(at);
    source.stop(end);
    return { source, end };
  }

  #tone(voice: Voice, at: number, end: number, out: AudioNode): AudioScheduledSourceNode {
    const tone = this.#context.createOscillator();
    glide(tone.frequency, voice, at, end);
    tone.connect(out);
    return tone;
  }

  #breath(voice: Voice & { kind: 'breath' }, at: number, end: number, out: AudioNode): AudioScheduledSourceNode {
    const source = new AudioBufferSourceNode(this.#context, { buffer: this.#noise, loop: true });
    const filter = new BiquadFilterNode(this.#context, { type: 'bandpass', Q: voice.q });
    glide(filter.frequency, voice, at, end);
    source.connect(filter).connect(out);
    return source;
  }
}

function glide(parameter: AudioParam, { pitch, to }: Voice, at: number, end: number): void {
  parameter.setValueAtTime(pitch, at);
  if (to !== undefined) parameter.exponentialRampToValueAtTime(to, end);
}

/** Stereo noise; `shape`: its gain by position, both from 0 to 1. */
function noise(context: BaseAudioContext, seconds: number, shape: (position: number) => number): AudioBuffer {
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(2, length, context.sampleRate);
  for (const channel of [0, 1]) {
    const samples = buffer.getChannelData(channel);
    for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * shape(i / length);
  }
  return buffer;
}

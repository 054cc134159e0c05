/** Plays voices with the Web Audio API. */

import type { Voice } from './sounds';

/** Exponential ramps can't end at nothing. */
const SILENCE = 0.0001;
/** The room that everything is heard in: how long it echoes, in seconds, and how much of it is heard. */
const ROOM = { seconds: 0.9, share: 0.16 };
const NOISE_SECONDS = 1;

export class Synth {
  #context: BaseAudioContext;
  #master: GainNode;
  #noise: AudioBuffer;

  constructor(context: BaseAudioContext) {
    this.#context = context;
    this.#master = context.createGain();
    this.#noise = noise(context, NOISE_SECONDS, () => 1);
    // However many sounds come together, they stay below the limit of what can be played.
    const limiter = new DynamicsCompressorNode(context, {
      threshold: -14,
      knee: 8,
      ratio: 14,
      attack: 0.002,
      release: 0.18,
    });
    const room = new ConvolverNode(context, { buffer: noise(context, ROOM.seconds, (share) => (1 - share) ** 3) });
    const echo = new GainNode(context, { gain: ROOM.share });
    this.#master.connect(limiter);
    this.#master.connect(room).connect(echo).connect(limiter);
    limiter.connect(context.destination);
  }

  /** `level`: from 0 to 1. */
  play(voices: readonly Voice[], level: number, after = 0): void {
    const start = this.#context.currentTime + after;
    const out = new GainNode(this.#context, { gain: level });
    out.connect(this.#master);
    const ends = voices.map((voice) => this.#strike(voice, start + voice.at, out));
    const last = ends.reduce((one, other) => (one.end > other.end ? one : other));
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
    const filter = new BiquadFilterNode(this.#context, { type: 'bandpass', Q: voice.width });
    glide(filter.frequency, voice, at, end);
    source.connect(filter).connect(out);
    return source;
  }
}

function glide(parameter: AudioParam, { pitch, to }: Voice, at: number, end: number): void {
  parameter.setValueAtTime(pitch, at);
  if (to !== undefined) parameter.exponentialRampToValueAtTime(to, end);
}

/** Noise in two channels; `shape`: how loud it is at each part of its length, from 0 to 1. */
function noise(context: BaseAudioContext, seconds: number, shape: (share: number) => number): AudioBuffer {
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(2, length, context.sampleRate);
  for (const channel of [0, 1]) {
    const samples = buffer.getChannelData(channel);
    for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * shape(i / length);
  }
  return buffer;
}

import type { SpokenCue } from './captions.ts'

/** Converts cues to a WebVTT file, which is stored and read like an uploaded one. */
export function webVtt(cues: readonly SpokenCue[], language: string): string {
  const blocks = cues.map(({ start, end, text }) => `${timeStamp(start)} --> ${timeStamp(end)}\n${escaped(text)}\n`)
  return `WEBVTT\nKind: captions\nLanguage: ${language}\n\n${blocks.join('\n')}`
}

function timeStamp(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

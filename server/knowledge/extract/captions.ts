import { textOf } from './decode.ts'
import type { Draft, ExtractInput } from './draft.ts'
import { withoutRepeats, type ShownCue } from './rolling-captions.ts'
import { transcriptParts } from './transcript.ts'

const time = String.raw`(?:(\d{1,3})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[.,]\s*(\d{1,3}))?`
const arrow = String.raw`\s*(?:-->|->|[–—]>|→)\s*`
const timing = new RegExp(String.raw`^\s*${time}${arrow}(?:${time})?`)
/** The named entities of WebVTT. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }
const aside = /^(?:NOTE|STYLE|REGION)(?:\s|$)/

/** Returns whether text begins with the time line of a cue, optionally after its number. */
export function opensWithCue(text: string): boolean {
  return text
    .split(/\r?\n/, 3)
    .slice(0, 2)
    .some((line, at, [first = '']) => timing.test(line) && (at === 0 || /^\d+\s*$/.test(first)))
}

/**
 * Extracts WebVTT (https://www.w3.org/TR/webvtt1/) and SubRip as a transcript with times. Lenient with malformed files: an
 * unreadable time is that of the previous cue.
 */
export function extractCaptions({ bytes, contentType }: ExtractInput): Draft {
  const lines = textOf(bytes, contentType)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .split('\n')
  const cues: ShownCue[] = []
  let cue: { start: number; end: number; lines: string[] } | null = null
  const finish = (): void => void (cue && cues.push(...voices(cue)))
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const opensBlock = (lines[at - 1] ?? '') === ''
    const times = timesOf(line, cues.at(-1)?.start ?? 0)
    if (times) {
      finish()
      cue = { ...times, lines: [] }
    } else if (opensBlock && aside.test(line)) while (lines[at + 1]) at++
    else if (isCueName(line, lines[at + 1] ?? '', opensBlock)) continue
    else cue?.lines.push(line)
  }
  finish()
  const language = /^Language:\s*([\w-]+)/m.exec(lines.slice(0, 20).join('\n'))?.[1]
  return { parts: transcriptParts(withoutRepeats(cues)), language: language ?? null }
}

function timesOf(line: string, before: number): { start: number; end: number } | null {
  const found = timing.exec(line)
  if (!found) return line.includes('-->') ? { start: before, end: before } : null
  const start = seconds(found.slice(1, 5))
  const end = found[6] === undefined ? start : seconds(found.slice(5, 9))
  return { start, end: Math.max(start, end) }
}

function seconds([hours = '0', minutes = '0', whole = '0', fraction = '0']: readonly (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction}`)
}

/** Returns whether a line is the number or name of a cue: a single line right above its times. */
function isCueName(line: string, next: string, opensBlock: boolean): boolean {
  return timesOf(next, 0) !== null && (opensBlock || /^\s*\d+\s*$/.test(line))
}

/** Splits a cue by voice and removes tags and styles. */
function voices({ start, end, lines }: { start: number; end: number; lines: readonly string[] }): ShownCue[] {
  const pieces = lines.join('\n').split(/<v(?:\.[^\s>]*)?[ \t]+([^>]+)>/i)
  return pieces.flatMap((piece, at) => {
    if (at % 2 === 1) return []
    const shown = piece.split('\n').map(plain).filter(Boolean)
    const speaker = at > 0 ? plain(pieces[at - 1] ?? '') : ''
    return shown.length > 0 ? [{ start, end, lines: shown, ...(speaker !== '' && { speaker }) }] : []
  })
}

function plain(line: string): string {
  const unmarked = line.replace(/<\/?[a-z\d][^<>]*>/gi, '').replace(/\{\\[^{}]*\}|\{[a-z]:[^{}]*\}/gi, '')
  return unmarked
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()
}

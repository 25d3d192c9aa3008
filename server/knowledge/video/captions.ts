import { z } from 'zod'

/** Speech at one time, in seconds from the start. */
export interface SpokenCue {
  readonly start: number
  readonly end: number
  readonly text: string
}

const Captions = z.object({
  events: z
    .array(
      z.object({
        tStartMs: z.number().default(0),
        dDurationMs: z.number().default(0),
        aAppend: z.number().optional(),
        segs: z.array(z.object({ utf8: z.string().default(''), tOffsetMs: z.number().default(0) })).optional(),
      }),
    )
    .default([]),
})

const maxWordMs = 1_000
/** A cue that describes sounds only: [Music], (applause), ♪. */
const sound = /^(?:\s*(?:\[[^\]]*\]|\([^)]*\)|[♪♫]+))+\s*$/u

/**
 * Converts captions in the json3 format to cues, without cues of sounds only. Automatic captions stay on the screen during the
 * next ones; a cue ends with its last word, or when the next one begins.
 * @returns null for other formats
 */
export function cuesOf(reply: unknown): SpokenCue[] | null {
  const captions = Captions.safeParse(reply)
  if (!captions.success) return null
  const spoken = captions.data.events
    .filter(({ segs, aAppend }) => segs !== undefined && aAppend !== 1)
    .toSorted((a, b) => a.tStartMs - b.tStartMs)
  return spoken.flatMap(({ tStartMs, dDurationMs, segs = [] }, at) => {
    const text = segs
      .map(({ utf8 }) => utf8)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    if (text === '' || sound.test(text)) return []
    const lastWordMs = Math.max(...segs.map(({ tOffsetMs }) => tOffsetMs))
    const endMs = Math.min(
      tStartMs + (lastWordMs > 0 ? Math.min(dDurationMs, lastWordMs + maxWordMs) : dDurationMs),
      spoken[at + 1]?.tStartMs ?? Infinity,
    )
    return [{ start: tStartMs / 1000, end: Math.max(tStartMs, endMs) / 1000, text }]
  })
}

import type { Embedder } from '../knowledge/embed/embedder.ts'

/** An embedder that costs nothing: how often each letter is in the text, at unit length. */
export interface LetterEmbedder extends Embedder {
  /** Every text that was embedded as a passage so far. */
  readonly passages: string[]
  /** Runs before passages are embedded; a test may have it wait or throw. */
  before: () => Promise<void>
}

export function letterEmbedder(): LetterEmbedder {
  const passages: string[] = []
  const embedder: LetterEmbedder = {
    model: 'letters@test/float32',
    dimensions: 26,
    passages,
    before: async () => undefined,
    async embed(texts, purpose) {
      if (purpose === 'passage') {
        await embedder.before()
        passages.push(...texts)
      }
      return texts.map(letters)
    },
    close: async () => undefined,
  }
  return embedder
}

/** Has the next passages that are embedded wait; gives back what lets them go on, once they do. */
export async function held(embedder: LetterEmbedder, begin: () => Promise<unknown>): Promise<() => void> {
  let release = (): void => undefined
  const waits = new Promise<void>((go) => (release = go))
  const reached = new Promise<void>((at) => {
    embedder.before = async () => {
      embedder.before = async () => undefined
      at()
      await waits
    }
  })
  await begin()
  await reached
  return release
}

function letters(text: string): Float32Array {
  const counts = new Float32Array(26).fill(0.01)
  for (const letter of text.toLowerCase().replace(/[^a-z]/g, '')) {
    const at = letter.charCodeAt(0) - 97
    counts[at] = (counts[at] ?? 0) + 1
  }
  const length = Math.hypot(...counts)
  return counts.map((count) => count / length)
}

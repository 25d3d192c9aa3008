import type { Embedder } from '../knowledge/embed/embedder.ts'

/** A cheap embedder: letter frequencies as a unit vector. */
export interface LetterEmbedder extends Embedder {
  /** All texts embedded as passages so far. */
  readonly passages: string[]
  /** Runs before passages are embedded. A test can make it wait or throw. */
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
    competence: () => 1,
    close: async () => undefined,
  }
  return embedder
}

/** Makes the next embedding of passages wait. Resolves once it waits, to a function that lets it continue. */
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

export const topK = 10

/** What the sources must be of, in every question: seven of ten are. */
export const askedParts: readonly number[] = [0, 1, 2, 3, 4, 5, 6]

export interface Question {
  readonly text: string
  readonly vector: Float32Array
  /** Which base it is asked, by number. */
  readonly base: number
}

/** One way of using a system, started and loaded. */
export interface Variant {
  /** As the table says it, with the version. */
  readonly name: string
  /** Ranks by words too: recall of the nearest vectors says nothing about it. */
  readonly hybrid?: boolean
  /** What is raised until the recall suffices, the system's default first. */
  readonly efforts: { readonly of: string; readonly values: readonly number[] }
  tune(effort: number): Promise<void>
  /** Settles when the reply has arrived whole; what that gives reads the places of the passages from it, best first. */
  ask(question: Question): Promise<() => number[]>
  close(): Promise<void>
}

export interface System {
  readonly name: string
  /** Ways of using it, of which the fastest that finds enough is compared. */
  readonly variants: readonly (() => Promise<Variant>)[]
  /** The recall that is enough; .97 by default. */
  readonly leastRecall?: number
}

export const noEfforts = { of: '', values: [0] }

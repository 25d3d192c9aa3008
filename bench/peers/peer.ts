export const topK = 10

/** The filter of every question on the sources: it selects seven of ten parts. */
export const askedParts: readonly number[] = [0, 1, 2, 3, 4, 5, 6]

export interface Question {
  readonly text: string
  readonly vector: Float32Array
  /** Number of the knowledge base to search. */
  readonly base: number
}

/** A configuration of a system, started and loaded. */
export interface Variant {
  /** Name in the table, with the version. */
  readonly name: string
  /** Whether it also ranks by terms, so that vector recall does not apply. */
  readonly hybrid?: boolean
  /** The parameter that is raised until the recall suffices, starting with the system's default. */
  readonly efforts: { readonly of: string; readonly values: readonly number[] }
  tune(effort: number): Promise<void>
  /** Resolves when the reply is complete, to a function that returns the positions of the passages, best first. */
  ask(question: Question): Promise<() => number[]>
  close(): Promise<void>
}

export interface System {
  readonly name: string
  /** Configurations of the system. The fastest with sufficient recall is compared. */
  readonly variants: readonly (() => Promise<Variant>)[]
  /** Sufficient recall; 0.97 by default. */
  readonly minRecall?: number
}

export const noEfforts = { of: '', values: [0] }

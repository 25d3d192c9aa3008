import type { Passages } from './passages.ts'

export interface Asked {
  readonly vector: Float32Array
  readonly base: number
  readonly parts: readonly number[]
  /** The parameter that is raised until the recall suffices. */
  readonly effort: number
}

export type Search = (asked: Asked) => Promise<readonly number[]> | readonly number[]

/** @param modules resolves modules from the folder of the library */
export type OpenLibrary = (
  modules: (name: string) => unknown,
  passages: Passages,
  place: { readonly layout: string; readonly folder: string },
) => Promise<Search>

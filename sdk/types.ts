import type { Input, Received, Sent } from '@groundwork/api'

/** The query of a route, with numbers and booleans instead of their text in the URL. */
export type Query<R> = Natural<Sent<R, 'query'>, Input<R> extends { query: infer Q } ? Q : never>
type Natural<Wire, Parsed> = {
  [K in keyof Wire]: unknown extends Wire[K]
    ? K extends keyof Parsed
      ? Parsed[K] | undefined
      : never
    : Wire[K] extends 'true' | 'false' | undefined
      ? boolean | undefined
      : Wire[K]
}

/** The record type of a list. */
export type Item<R> = Received<R> extends readonly (infer I)[] ? I : Received<R> extends { data: readonly (infer I)[] } ? I : never

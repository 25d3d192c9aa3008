import type { Input, Received, Sent } from '@groundwork/api'

/** The query of a route as a caller writes it: numbers and booleans where the address has text. */
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

/** What the pages of a list consist of. */
export type Item<R> = Received<R> extends readonly (infer I)[] ? I : Received<R> extends { data: readonly (infer I)[] } ? I : never

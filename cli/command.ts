import type { Groundwork } from '@groundwork/sdk'
import type { Output } from './output.ts'

export interface Option {
  type: 'string' | 'boolean'
  /** What stands behind it in help, such as `LIST`. */
  value?: string
  about: string
}
export type Options = Readonly<Record<string, Option>>

/** What a command works with. */
export interface Session {
  client: Groundwork
  output: Output
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Whether there is somebody to be asked. */
  ask: boolean
}

type Values<O extends Options> = { readonly [K in keyof O]?: (O[K]['type'] extends 'boolean' ? boolean : string) | undefined }
export type AnyValues = Readonly<Record<string, string | boolean | undefined>>

interface Written<O extends Options> {
  /** What it is called by, such as `sources add`. */
  words: string
  /** The arguments: `BASE FILE…` are one and then one or more, `[SOURCE…]` none or more. */
  takes: string
  summary: string
  /** Further lines of its help. */
  details?: string
  options: O
  /** @returns whether something failed that was told of already */
  run: (session: Session, positionals: readonly string[], values: Values<O>) => Promise<boolean | void>
}
export type Command = Omit<Written<Options>, 'run'> & {
  run: (session: Session, positionals: readonly string[], values: AnyValues) => Promise<boolean | void>
}

/** A command whose options are known by their types; `interpret` gives it no others. */
export const command = <const O extends Options>(written: Written<O>): Command => written as unknown as Command

/** How many arguments a command takes. */
export function arityOf({ takes }: Pick<Command, 'takes'>): { min: number; max: number; names: string[] } {
  const names = takes.split(' ').filter((name) => name !== '')
  const needed = names.filter((name) => !name.startsWith('['))
  return { min: needed.length, max: names.some((name) => name.includes('…')) ? Infinity : names.length, names }
}

import type { Groundwork } from '@groundwork/sdk'
import type { Output } from './output.ts'

export interface Option {
  type: 'string' | 'boolean'
  /** One letter, such as `o` for `-o`. */
  short?: string
  /** Placeholder of the value in help, such as `LIST`. */
  value?: string
  about: string
}
export type Options = Readonly<Record<string, Option>>

/** The environment of a command. */
export interface Session {
  client: Groundwork
  output: Output
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Whether the user can be asked for confirmation. */
  interactive: boolean
}

type Values<O extends Options> = { readonly [K in keyof O]?: (O[K]['type'] extends 'boolean' ? boolean : string) | undefined }
export type AnyValues = Readonly<Record<string, string | boolean | undefined>>

interface Written<O extends Options> {
  /** The words of the command, such as `sources add`. */
  words: string
  /** The arguments: `BASE FILE…` is one and then one or more, `[SOURCE…]` none or more. */
  takes: string
  summary: string
  /** Additional lines of help. */
  details?: string
  options: O
  /** @returns whether a failure was already reported */
  run: (session: Session, positionals: readonly string[], values: Values<O>) => Promise<boolean | void>
}
export type Command = Omit<Written<Options>, 'run'> & {
  run: (session: Session, positionals: readonly string[], values: AnyValues) => Promise<boolean | void>
}

/** Defines a command with typed options; `interpret` passes no others. */
export const command = <const O extends Options>(written: Written<O>): Command => written as unknown as Command

/** Returns the minimum and maximum number of arguments of a command. */
export function arityOf({ takes }: Pick<Command, 'takes'>): { min: number; max: number; names: string[] } {
  const names = takes.split(' ').filter((name) => name !== '')
  const needed = names.filter((name) => !name.startsWith('['))
  return { min: needed.length, max: names.some((name) => name.includes('…')) ? Infinity : names.length, names }
}

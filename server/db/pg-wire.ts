import pg, { type ClientBase, type FieldDef, type QueryConfig } from 'pg'
import type { Duplex } from 'node:stream'

/** The connection of a `pg` client, which its types leave out: it writes one message for each call. */
export interface Wire {
  readonly stream: Duplex
  /** Text by name of the statements that the server has parsed. */
  readonly parsedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: readonly string[] }): void
  describe(what: object): void
  execute(portal: object): void
  close(what: { type: 'S'; name: string }): void
  sync(): void
}

/** A `pg` query beyond its types: it writes its own messages, and receives the answers. */
export interface WireQuery extends pg.Submittable {
  readonly name: string | undefined
  readonly _result: Columns
  requiresPreparation(): boolean
  hasBeenParsed(wire: Wire): boolean
  prepare(wire: Wire): void
  handleRowDescription(message: { fields: readonly FieldDef[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: object, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
}

/** What a `pg` result keeps about its columns. It is made from their description once per statement and serves every execution. */
export interface Columns {
  fields: readonly FieldDef[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

export type QueryCallback = (error: Error | null, result: unknown) => void

/** `pg.Query` with the methods that a subclass may override. */
export const WireQuery = pg.Query as unknown as new (statement: QueryConfig, values: undefined, callback: QueryCallback) => WireQuery

const wireOf = (client: ClientBase): Wire => (client as unknown as { connection: Wire }).connection

/** Sends in one write whatever `fn` has the client send. */
export function inOneWrite<T>(client: ClientBase, fn: () => T): T {
  const { stream } = wireOf(client)
  stream.cork()
  try {
    return fn()
  } finally {
    stream.uncork()
  }
}

/** Deallocates the named statements that `isUnused`; the messages travel with the client's next statement. */
export function deallocate(client: ClientBase, isUnused: (name: string) => boolean): void {
  const wire = wireOf(client)
  for (const name of Object.keys(wire.parsedStatements).filter(isUnused)) {
    wire.close({ type: 'S', name })
    Reflect.deleteProperty(wire.parsedStatements, name)
    describedOn(wire).columns.delete(name)
  }
}

/**
 * The columns of the statements that a connection has prepared. They need not be asked for again: if a migration changes
 * them, the server refuses the statement (0A000) instead of returning other columns.
 */
export interface Described {
  readonly columns: Map<string, Columns>
  /** The same connection, except that it does not ask for the columns. */
  readonly undescribing: Wire
}

const described = new WeakMap<Wire, Described>()

export function describedOn(wire: Wire): Described {
  const known = described.get(wire) ?? {
    columns: new Map<string, Columns>(),
    undescribing: Object.create(wire, { describe: { value: () => undefined } }) as Wire,
  }
  described.set(wire, known)
  return known
}

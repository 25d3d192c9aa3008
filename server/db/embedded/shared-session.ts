import type { Group, VirtualConnection } from './connection.ts'
import * as protocol from './protocol.ts'
import { applySql, capturedSettings, captureSql } from './settings.ts'

/** Runs messages in the engine; `limitMs` is that of the connection by default. */
export type Execute = (bytes: Uint8Array, limitMs?: number) => Promise<Buffer>

/**
 * Tracks the state of the engine's single session by connection, and restores it for the connection that runs next:
 * settings that outlive a transaction, prepared statements after a restart, the unnamed statement.
 */
export class SharedSession {
  /** `settingsKey` of what is set now; null if unknown. */
  #live: string | null = ''
  /** Connections that may have changed settings in the current group or transaction; their settings are read back when it ends. */
  #unsaved: VirtualConnection | null = null
  #unnamedOf: VirtualConnection | null = null
  #epoch = 1

  /** The engine began anew: nothing is set, nothing is prepared. */
  restarted(): void {
    this.#live = ''
    this.#unsaved = null
    this.#unnamedOf = null
    this.#epoch++
  }

  /** @returns an ErrorResponse if the session cannot be brought into the connection's state */
  async enter(group: Group, execute: Execute, isOwner: boolean): Promise<Buffer | null> {
    const { connection } = group
    if (!isOwner) {
      const failure = await this.#switchSettings(connection, execute)
      if (failure !== null) return failure
      if (connection.epoch !== this.#epoch) await this.#prepareAgain(connection, execute)
      if (connection.loss !== null) await execute(protocol.joinOwned([protocol.query('BEGIN'), protocol.query('SELECT 1/0')]))
    }
    if (group.needsUnnamed && connection.unnamed && this.#unnamedOf !== connection) {
      await execute(protocol.joinOwned([connection.unnamed.parse, protocol.sync()]))
      this.#unnamedOf = connection
    }
    return null
  }

  /** Records the effects of a group. */
  ran(group: Group, failed: boolean): void {
    const { connection } = group
    if (group.parsesUnnamed) this.#unnamedOf = connection
    // Failed groups count too: statements prepared before the error stay. Closing a missing statement is no error.
    for (const [name, statement] of group.prepares) {
      if (statement === null) connection.prepared.delete(name)
      else connection.prepared.set(name, statement)
    }
    connection.epoch = this.#epoch
    for (const inspection of group.inspections) {
      if (inspection.session) this.#unsaved = connection
      if (inspection.session) for (const name of inspection.custom) connection.custom.add(name)
      if (failed) continue
      for (const channel of inspection.unlisten) {
        if (channel === '*') connection.channels.clear()
        else connection.channels.delete(channel)
      }
      for (const channel of inspection.listen) connection.channels.add(channel)
    }
  }

  /** Returns the messages that clean up after a closed connection. */
  farewell(connection: VirtualConnection, owned: boolean): Buffer[] {
    if (this.#unsaved === connection) {
      this.#unsaved = null
      this.#live = null
    }
    if (this.#unnamedOf === connection) this.#unnamedOf = null
    const names = connection.epoch === this.#epoch ? [...connection.prepared.keys()] : []
    connection.prepared.clear()
    const closes = names.map((name) => protocol.closeStatement(name))
    return [...(owned ? [protocol.sync(), protocol.query('ROLLBACK')] : []), ...(closes.length > 0 ? [...closes, protocol.sync()] : [])]
  }

  /** Reads back the settings of a connection, outside any transaction. */
  async save(execute: Execute): Promise<void> {
    const connection = this.#unsaved
    if (connection === null) return
    const reply = await execute(protocol.joinOwned([protocol.query(captureSql(connection.custom))]))
    connection.useSettings(capturedSettings(protocol.textRows(reply)))
    this.#live = connection.key
    this.#unsaved = null
  }

  async #switchSettings(connection: VirtualConnection, execute: Execute): Promise<Buffer | null> {
    if (this.#live === connection.key) return null
    const reply = await execute(protocol.joinOwned([protocol.query(applySql(connection.settings))]))
    const error = [...protocol.messages(reply)].find((message) => protocol.typeOf(message) === 'E')
    this.#live = error === undefined ? connection.key : null
    return error ?? null
  }

  async #prepareAgain(connection: VirtualConnection, execute: Execute): Promise<void> {
    connection.epoch = this.#epoch
    const statements = [...connection.prepared.values()]
    // A Sync each: one that no longer fits the schema must not keep the others from being prepared.
    const parts = statements.flatMap((statement) => [statement.parse, protocol.sync()])
    if (parts.length > 0) await execute(protocol.joinOwned(parts))
  }
}

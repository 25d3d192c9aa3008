import type { ClientBase } from 'pg'
import type { Duplex } from 'node:stream'

/** Alters the messages that `pg` writes to a stream. It writes each message on its own. */
export function alterMessages(stream: Duplex, alter: (message: Buffer) => Buffer): void {
  // Connecting restores the socket's own `write`.
  stream.once('connect', () => {
    const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean
    Reflect.set(stream, 'write', (message: Buffer, ...rest: unknown[]) => write(alter(message), ...rest))
  })
}

/** Returns the message with the first `from` replaced by `to`, which must have the same length. */
export function replaced(message: Buffer, from: string, to: string): Buffer {
  const at = message.indexOf(from)
  if (at < 0) return message
  const copy = Buffer.from(message)
  copy.write(to, at)
  return copy
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0)

/** Returns whether the message is Parse of the statement. */
export const parses = (message: Buffer, name: string): boolean => typeOf(message) === 'P' && message.indexOf(`${name}\0`, 5) === 5

/** Returns whether the message is Bind of the statement to the unnamed portal. */
export const binds = (message: Buffer, name: string): boolean => typeOf(message) === 'B' && message.indexOf(`\0${name}\0`, 5) === 5

/** Returns whether the message is a simple Query. */
export const queries = (message: Buffer): boolean => typeOf(message) === 'Q'

/** Closes a client's connection abruptly, as a network failure does. */
export const cut = (client: ClientBase): void => void (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()

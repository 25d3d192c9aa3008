import * as protocol from './protocol.ts'

/** The engine's answer to one group. */
export interface Reply {
  /** All messages but those below. */
  answer: Buffer[]
  ready: Buffer[]
  notifications: Buffer[]
  /** Of the last ReadyForQuery; null where there is none, after Flush. */
  status: string | null
  failed: boolean
}

export function sortReply(bytes: Buffer): Reply {
  const reply: Reply = { answer: [], ready: [], notifications: [], status: null, failed: false }
  let from = 0
  let at = 0
  for (const message of protocol.messages(bytes)) {
    const type = protocol.typeOf(message)
    if (type === 'E') reply.failed = true
    if (type === 'A' || type === 'Z') {
      if (at > from) reply.answer.push(bytes.subarray(from, at))
      from = at + message.length
      if (type === 'A') reply.notifications.push(message)
      else {
        reply.status = String.fromCharCode(message[5] ?? 0)
        reply.ready = [message]
      }
    }
    at += message.length
  }
  if (at > from) reply.answer.push(bytes.subarray(from, at))
  return reply
}

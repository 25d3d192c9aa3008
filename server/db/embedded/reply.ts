import * as protocol from './protocol.ts'

/** The engine's answer to one group. */
export interface Reply {
  /** All messages but those below. */
  answer: Buffer[]
  ready: Buffer[]
  notifications: Buffer[]
  /** Of ReadyForQuery; null where there is none, after Flush. */
  status: string | null
  failed: boolean
}

/** Returns the answer to each group. A group after Flush has no ReadyForQuery, and runs alone. */
export function splitReply(bytes: Buffer): Reply[] {
  const replies: Reply[] = []
  let reply = newReply()
  let from = 0
  let at = 0
  for (const message of protocol.messages(bytes)) {
    const type = protocol.typeOf(message)
    if (type === 'E') reply.failed = true
    if (type === 'A' || type === 'Z') {
      if (at > from) reply.answer.push(bytes.subarray(from, at))
      from = at + message.length
    }
    at += message.length
    if (type === 'A') reply.notifications.push(message)
    if (type !== 'Z') continue
    replies.push({ ...reply, status: String.fromCharCode(message[5] ?? 0), ready: [message] })
    reply = newReply()
  }
  if (at > from) reply.answer.push(bytes.subarray(from, at))
  const last = replies.at(-1)
  if (last === undefined) return [reply]
  // Notifications may follow ReadyForQuery.
  last.answer.push(...reply.answer)
  last.notifications.push(...reply.notifications)
  return replies
}

const newReply = (): Reply => ({ answer: [], ready: [], notifications: [], status: null, failed: false })

import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './at-end.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: string[]
  readonly text: string
}

/** The answer to a command: null accepts it, `disconnect` closes the connection without an answer. */
type Answer = { code: number; text: string } | 'disconnect' | null

/** Starts a mail server on loopback that records messages. Tests set `answer` to let it refuse them. */
export async function mailServer() {
  const received: ReceivedMail[] = []
  const state = {
    url: '',
    received,
    /** Called for each recipient and at the end of each message. */
    answer: (_step: 'recipient' | 'end', _to: string): Answer => null,
  }
  const sockets = new Set<Socket>()
  const give = (answer: Answer, done: (error?: Error | null) => void): void => {
    if (answer === 'disconnect') for (const socket of sockets) socket.destroy()
    else done(answer === null ? null : Object.assign(new Error(answer.text), { responseCode: answer.code }))
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => give(state.answer('recipient', address), done),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const answer = state.answer('end', envelope.rcptTo[0]?.address ?? '')
        // A server that disconnects here has accepted the message.
        if (answer === null || answer === 'disconnect')
          received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(parts).toString() })
        give(answer, done)
      })
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  state.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  atEnd(() => new Promise<void>((closed) => server.close(closed)))
  return state
}

import type { AddressInfo } from 'node:net'
import PostalMime, { type Attachment } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[]
}

export interface Mailbox {
  readonly url: string
  /** Returns the messages up to now, one for each recipient. */
  received(): Promise<ReceivedMail[]>
}

/** Starts a mail server on loopback that accepts all messages. */
export async function openMailbox(atEnd: (end: () => Promise<void>) => void): Promise<Mailbox> {
  const messages: { to: string; content: Buffer }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) messages.push({ to: address, content: Buffer.concat(parts) })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => new Promise<void>((closed) => server.close(closed)))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: () =>
      Promise.all(
        messages.map(async ({ to, content }) => {
          const { subject = '', text = '', attachments } = await PostalMime.parse(content)
          return { to, subject, text, attachments: attachments.map(fileOf) }
        }),
      ),
  }
}

function fileOf({ filename, content }: Attachment): ReceivedMail['attachments'][number] {
  if (typeof content === 'string') throw new Error('an attachment is text')
  return { name: filename ?? '', content: new Uint8Array(content) }
}

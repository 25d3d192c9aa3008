import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Attachment } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[]
}

/** Starts a mail server on loopback that accepts all messages. */
export async function openMailbox(atEnd: (end: () => Promise<void>) => void): Promise<{ url: string; received: readonly ReceivedMail[] }> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      void buffer(stream).then(async (content) => {
        const { subject = '', text = '', attachments } = await PostalMime.parse(content)
        for (const { address } of envelope.rcptTo) received.push({ to: address, subject, text, attachments: attachments.map(fileOf) })
        done()
      }, done)
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => new Promise<void>((closed) => server.close(closed)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received }
}

function fileOf({ filename, content }: Attachment): ReceivedMail['attachments'][number] {
  if (typeof content === 'string') throw new Error('an attachment is text')
  return { name: filename ?? '', content: new Uint8Array(content) }
}

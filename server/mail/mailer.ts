import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { makeFolder, writeWholeFile } from '../lib/durable-files.ts'

export interface Message {
  /** A UUID: sent again under the same one, it is the same message. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** By a mail server, or as files of the data folder where the operator has none. */
  readonly kind: 'smtp' | 'files'
  /** @throws Error when the mail server does not take it */
  send(message: Message): Promise<void>
  close(): void
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`, or smtps. */
  readonly smtpUrl: string | undefined
  /** Where messages are kept as files without it. */
  readonly folder: string
  /** Who they are from, as the field From has it. */
  readonly from: string
}

export function createMailer({ smtpUrl, folder, from }: MailerOptions): Mailer {
  const written = (message: Message): SendMailOptions => ({
    from,
    to: message.to,
    subject: message.subject,
    text: message.text,
    messageId: `<${message.id}@groundwork>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Nothing of a message is fetched or read from a disk.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (smtpUrl === undefined) return filesIn(folder, written)
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  return {
    kind: 'smtp',
    async send(message) {
      await transport.sendMail(written(message))
    },
    close: () => transport.close(),
  }
}

/** Each message as the file `<id>.eml`, which a mail program opens. */
function filesIn(folder: string, written: (message: Message) => SendMailOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'files',
    async send(message) {
      const { message: bytes } = await transport.sendMail(written(message))
      await makeFolder(folder)
      await writeWholeFile(join(folder, `${message.id}.eml`), bytes)
    },
    close: () => undefined,
  }
}

import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Context } from '../context.ts'
import { makeFolder, writeWholeFile } from '../lib/durable-files.ts'

export interface Message {
  /** A UUID. Repeated attempts to send the same e-mail use the same id. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Sends by SMTP, or writes files to the data folder if SMTP_URL is not set. */
  readonly kind: 'smtp' | 'files'
  /** @throws Error if the mail server rejects it */
  send(message: Message): Promise<void>
  close(): void
}

export interface MailServices {
  readonly mailer: Mailer
}

export interface MailContext extends Context, MailServices {}

export interface MailerOptions {
  /** `smtp://user:password@host:587`, or smtps. */
  readonly smtpUrl: string | undefined
  /** The folder for files if there is no SMTP URL. */
  readonly folder: string
  /** Value of the From header. */
  readonly from: string
}

export function createMailer({ smtpUrl, folder, from }: MailerOptions): Mailer {
  const toMailOptions = (message: Message): SendMailOptions => ({
    from,
    to: message.to,
    subject: message.subject,
    text: message.text,
    messageId: `<${message.id}@groundwork>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // nodemailer must not read files or fetch URLs that an e-mail names.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (smtpUrl === undefined) return fileMailer(folder, toMailOptions)
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  return {
    kind: 'smtp',
    async send(message) {
      await transport.sendMail(toMailOptions(message))
    },
    close: () => transport.close(),
  }
}

/** Writes each e-mail to a file `<id>.eml`. */
function fileMailer(folder: string, toMailOptions: (message: Message) => SendMailOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'files',
    async send(message) {
      const { message: bytes } = await transport.sendMail(toMailOptions(message))
      await makeFolder(folder)
      await writeWholeFile(join(folder, `${message.id}.eml`), bytes)
    },
    close: () => undefined,
  }
}

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Context } from '../context.ts'
import type { MailRow, Transaction } from '../db/schema.ts'
import { makeFolder, removeFile, writeFileAtomically } from '../lib/durable-files.ts'
import { MailError } from './mail-error.ts'

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
}

export interface Message {
  /** A UUID. Repeated attempts to send the same email use the same id. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same content as `text`. */
  readonly html?: string | undefined
  readonly replyTo?: string | undefined
  readonly attachments?: readonly Attachment[]
}

/** Called when the mail server has all of a message but its end. Only after it returns can the server accept the message. */
type BeforeEnd = () => Promise<void>

export interface Mailer {
  /** Sends by SMTP, or writes files to the data folder if SMTP_URL is not set. */
  readonly kind: 'smtp' | 'files'
  /**
   * @param beforeEnd not called for files, which can be written again under the same name
   * @throws MailError
   */
  send(message: Message, beforeEnd?: BeforeEnd): Promise<void>
  /** Deletes the file of a message, if it was written as one, possibly before SMTP_URL was set. */
  deleteFile(messageId: string): Promise<void>
  close(): void
}

export interface MailServices {
  readonly mailer: Mailer
  /** Returns the attachments of a message. They are not stored with it. */
  readonly attachmentsOf: (ctx: Context, mail: MailRow) => Promise<readonly Attachment[]>
  /** Called in the transaction that records the failure of a message. */
  readonly onMailFailed: (ctx: Context, trx: Transaction, mail: MailRow) => Promise<void>
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
  const toMailOptions = ({ id, to, subject, text, html, replyTo, attachments = [] }: Message): SendMailOptions => ({
    from,
    to,
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo }),
    attachments: [...attachments],
    messageId: messageIdOf(id),
    headers: { 'Auto-Submitted': 'auto-generated' },
    // nodemailer must not read files or fetch URLs that an email names.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const mailer = smtpUrl === undefined ? fileMailer(folder, toMailOptions) : smtpMailer(smtpUrl, toMailOptions)
  return { ...mailer, deleteFile: (messageId) => removeFile(fileOf(folder, messageId)) }
}

const fileOf = (folder: string, messageId: string): string => join(folder, `${messageId}.eml`)

const messageIdOf = (id: string): string => `<${id}@groundwork>`

function smtpMailer(smtpUrl: string, toMailOptions: (message: Message) => SendMailOptions): Omit<Mailer, 'deleteFile'> {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  const pending = new Map<string, BeforeEnd>()
  transport.use('stream', ({ message }, done) => {
    const beforeEnd = pending.get(message.messageId())
    const compiled = message.createReadStream.bind(message)
    // nodemailer reads this stream only after the mail server has answered DATA, and ends the message when it ends.
    if (beforeEnd !== undefined) message.createReadStream = () => Readable.from(withPause(compiled(), beforeEnd))
    done()
  })
  return {
    kind: 'smtp',
    async send(message, beforeEnd = async () => undefined) {
      let isEnding = false
      pending.set(messageIdOf(message.id), async () => {
        await beforeEnd()
        isEnding = true
      })
      try {
        await transport.sendMail(toMailOptions(message))
      } catch (error) {
        throw MailError.of(error, { isEnding })
      } finally {
        pending.delete(messageIdOf(message.id))
      }
    },
    close: () => transport.close(),
  }
}

async function* withPause(parts: AsyncIterable<Buffer>, beforeEnd: BeforeEnd): AsyncGenerator<Buffer> {
  yield* parts
  await beforeEnd()
}

/** Writes each email to a file `<id>.eml`. */
function fileMailer(folder: string, toMailOptions: (message: Message) => SendMailOptions): Omit<Mailer, 'deleteFile'> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'files',
    async send(message) {
      const { message: bytes } = await transport.sendMail(toMailOptions(message))
      await makeFolder(folder)
      await writeFileAtomically(fileOf(folder, message.id), bytes)
    },
    close: () => undefined,
  }
}

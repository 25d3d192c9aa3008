import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { open, seal, type SecretKeys } from '../lib/secrets.ts'
import type { PdfRenderer } from './renderer.ts'

/** A key with its certificate that seals PDFs. */
export interface PdfSigner {
  /** PKCS #12. */
  readonly p12: Uint8Array
  readonly passphrase: string
}

export interface SignerContext extends Context {
  /** Encrypts the key of the installation. */
  readonly secretKey: SecretKeys
  readonly pdfRenderer: PdfRenderer
  /** The configured signer; null for the one of the installation. */
  readonly pdfSigner: PdfSigner | null
}

/** The database stores the file encrypted, so it needs no passphrase of its own. */
const passphrase = ''

/**
 * Returns the configured signer, or the one of the installation. That one is created at its first use, and again if the secret
 * key that encrypted it is lost.
 */
export async function currentPdfSigner(ctx: SignerContext): Promise<PdfSigner> {
  if (ctx.pdfSigner !== null) return ctx.pdfSigner
  const stored = await readSigner(ctx)
  const p12 = (stored && opened(stored, ctx.secretKey)) ?? (await createAndStore(ctx, stored))
  return { p12, passphrase }
}

async function createAndStore(ctx: SignerContext, former: Buffer | null): Promise<Buffer> {
  const now = ctx.now()
  const name = new URL(ctx.baseUrl).hostname
  const notBefore = ((await firstSignature(ctx)) ?? now).toISOString()
  const created = await ctx.pdfRenderer.createSigner({ name, passphrase, notBefore })
  const sealed = seal(Buffer.from(created).toString('base64'), sealOptions(ctx.secretKey))
  await withTransaction(ctx, (trx) => sql`select replace_pdf_signer(${sealed}, ${former}, ${now})`.execute(trx))
  // Another process may have stored its key first.
  const stored = await readSigner(ctx)
  const p12 = stored && opened(stored, ctx.secretKey)
  if (p12 === null) throw new Error('the signer of PDFs that was just stored cannot be read')
  return p12
}

/**
 * Returns the time at which the oldest key for certificates was created; null without one. Proposals can be completed before their
 * first PDF is made, but not before this time.
 */
async function firstSignature(ctx: SignerContext): Promise<Date | null> {
  const { rows } = await withTransaction(ctx, (trx) =>
    sql<{ first: Date | null }>`select min(created_at) as first from public_signing_keys()`.execute(trx),
  )
  return rows[0]?.first ?? null
}

async function readSigner(ctx: SignerContext): Promise<Buffer | null> {
  const { rows } = await withTransaction(ctx, (trx) => sql<{ sealed: Buffer | null }>`select current_pdf_signer() as sealed`.execute(trx))
  return rows[0]?.sealed ?? null
}

/** Returns the PKCS #12 file. @throws Error if another secret key encrypted it */
export const openPdfSigner = (sealed: Buffer, secretKey: SecretKeys): Buffer => Buffer.from(open(sealed, sealOptions(secretKey)), 'base64')

/** Returns null if another secret key encrypted the file. The program starts only with the key of the database. */
function opened(sealed: Buffer, secretKey: SecretKeys): Buffer | null {
  try {
    return openPdfSigner(sealed, secretKey)
  } catch {
    // The secret key was lost and replaced.
    return null
  }
}

export const pdfSignerPlace = { purpose: 'PDF signer', aad: 'installation' }

const sealOptions = (secretKey: SecretKeys) => ({ secretKey, ...pdfSignerPlace })

import { readFile } from 'node:fs/promises'
import type { PdfSigner } from './signer.ts'

/**
 * Reads the signer from a PKCS #12 file.
 * @throws Error that names PDF_SIGNING_P12 if the file cannot be read or the password is wrong
 */
export async function readPdfSigner(path: string, passphrase: string): Promise<PdfSigner> {
  const p12 = await readFile(path).catch((error: unknown) => {
    throw new Error(`PDF_SIGNING_P12: ${path} cannot be read.`, { cause: error })
  })
  const { default: forge } = await import('node-forge')
  try {
    forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), passphrase)
  } catch (error) {
    throw new Error(`PDF_SIGNING_P12: ${path} is not a PKCS #12 file with the password PDF_SIGNING_P12_PASSWORD.`, { cause: error })
  }
  return { p12, passphrase }
}

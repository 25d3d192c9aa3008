import { canonicalJson } from './canonical-json.ts'
import { parseCertificate, parseErasedCertificates, type Certificate, type SignedCertificate } from './certificate.ts'
import type { CertificateCheck, Finding } from './certificate-check.ts'
import { checkTotals } from './certificate-totals.ts'
import { checkChains, erasedLinks, type ChainLink } from './certificate-chain.ts'
import { isPdf, pdfAttachments } from './pdf-attachments.ts'
import { checkSeal } from './pdf-seal.ts'
import { isSignatureValid, sha256, signingKeyId, type SigningKey } from './signing-keys.ts'

export interface CertificateFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/**
 * Verifies certificates without network: each by itself, and those of an organization as a chain. If all checks hold, the content of
 * the certificate is unchanged since it was signed with its key, and a PDF is unchanged since it was sealed. To prove that the key
 * belongs to an installation, pass the `keys` of that installation from a source that you trust.
 * @param files certificates, and PDFs of completed proposals, which contain one, in any order; lists of erased certificates, which fill
 *   their places in the chain
 * @param options.keys the public keys of the organization's installation, from `parseSigningKeys`; without them, `key` is not checked
 * @returns one line for each check, file by file, then the chains
 * @throws GroundworkError `unsupported` if the environment cannot verify Ed25519 signatures
 */
export async function verifyCertificates(
  files: readonly CertificateFile[],
  { keys }: { readonly keys?: readonly SigningKey[] | undefined } = {},
): Promise<CertificateCheck[]> {
  const verified = await Promise.all(files.map((file) => verifyFile(file, keys)))
  return [...verified.flatMap(({ checks }) => checks), ...checkChains(verified.flatMap(({ links }) => links))]
}

interface VerifiedFile {
  readonly checks: readonly CertificateCheck[]
  /** The certificate of the file; those of a list of erased certificates. */
  readonly links: readonly ChainLink[]
}

async function verifyFile({ name, content }: CertificateFile, keys: readonly SigningKey[] | undefined): Promise<VerifiedFile> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  const attachments = isPdf(bytes) ? (await pdfAttachments(bytes)).map(decode).filter((text) => text !== null) : null
  const text = attachments === null ? decode(bytes) : null
  const erased = text === null ? null : parseErasedCertificates(text)
  if (erased !== null) return verifiedErased(name, erased)
  const source = attachments === null ? sourceOf(text) : attachedCertificate(attachments)
  const findings = 'fault' in source ? [refusal(source.fault)] : await checkOne(source.signed, source.text, keys)
  // The seal is checked without a readable certificate too: it tells that the file was changed.
  if (attachments !== null) findings.push(await checkSeal(bytes))
  if (attachments !== null && 'signed' in source) findings.push(await checkOffer(source.signed.certificate, attachments))
  return {
    checks: findings.map((finding) => ({ file: name, ...finding })),
    links: 'fault' in source ? [] : [linkOf(name, source.signed.certificate, await sha256(source.text))],
  }
}

const linkOf = (file: string, { organization, sequence, previousHash, issuedAt }: Certificate, hash: string): ChainLink => ({
  file,
  organization,
  sequence,
  hash,
  previousHash,
  issuedAt,
  isErased: false,
})

function verifiedErased(file: string, erased: ReturnType<typeof parseErasedCertificates> & object): VerifiedFile {
  if ('fault' in erased) return { checks: [{ file, ...refusal(erased.fault) }], links: [] }
  const numbers = erased.certificates.map(({ sequence }) => sequence).join(', ')
  const detail = `Erased certificates of ${erased.organization.name}, whose content cannot be verified: ${numbers === '' ? 'none' : numbers}.`
  return { checks: [{ file, check: 'format', holds: true, detail }], links: erasedLinks(file, erased) }
}

const refusal = (detail: string): Finding => ({ check: 'format', holds: false, detail })

interface Source {
  readonly signed: SignedCertificate
  readonly text: string
}

function sourceOf(text: string | null): Source | { readonly fault: string } {
  if (text === null) return { fault: 'The file is not UTF-8 text.' }
  const signed = parseCertificate(text)
  return 'fault' in signed ? signed : { signed, text }
}

/** Returns the certificate among the attachments of a PDF. */
function attachedCertificate(attachments: readonly string[]): Source | { readonly fault: string } {
  const [certificate, ...others] = attachments.filter((text) => /^\s*\{\s*"certificate"/.test(text))
  if (certificate === undefined) return { fault: 'The PDF contains no certificate. Only the PDF of a completed proposal has one.' }
  if (others.length > 0) return { fault: `The PDF contains ${others.length + 1} certificates instead of one.` }
  return sourceOf(certificate)
}

/** Checks that the accepted content is attached to the PDF. */
async function checkOffer({ contentHash }: Certificate, attachments: readonly string[]): Promise<Finding> {
  const hashes = await Promise.all(attachments.map((text) => sha256(text)))
  return hashes.includes(contentHash)
    ? { check: 'pdf', holds: true, detail: 'The attached proposal.json is the accepted content.' }
    : {
        check: 'pdf',
        holds: false,
        detail: 'The accepted content is not attached: proposal.json is missing or contains a different offer.',
      }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

async function checkOne(signed: SignedCertificate, text: string, keys: readonly SigningKey[] | undefined): Promise<Finding[]> {
  const { certificate } = signed
  const { sequence, organization, proposal, issuedAt } = certificate
  if (!isCanonicalizable(signed)) return [{ check: 'canonical', holds: false, detail: 'The file contains text that is not valid Unicode.' }]
  return [
    {
      check: 'format',
      holds: true,
      detail: `Certificate ${sequence} of ${organization.name} for proposal ${proposal.number ?? proposal.id}, issued ${issuedAt}.`,
    },
    canonicalJson(signed) === text
      ? { check: 'canonical', holds: true, detail: 'The file is canonical JSON.' }
      : { check: 'canonical', holds: false, detail: 'The file is not canonical JSON: it was reformatted, or a name appears twice.' },
    (await sha256(canonicalJson(certificate.content))) === certificate.contentHash
      ? { check: 'content', holds: true, detail: `The content has the hash ${certificate.contentHash}.` }
      : { check: 'content', holds: false, detail: 'The content does not match the hash in the certificate.' },
    (await isSignatureValid(signed))
      ? { check: 'signature', holds: true, detail: `The certificate is unchanged since it was signed with the key ${certificate.keyId}.` }
      : { check: 'signature', holds: false, detail: 'The signature is not valid: the certificate was changed after it was signed.' },
    await checkKey(certificate, keys),
    checkSigners(certificate),
    checkTotals(certificate.content),
  ]
}

/** Returns whether the parsed file can be written as canonical JSON: it contains no lone surrogates. */
function isCanonicalizable(signed: SignedCertificate): boolean {
  try {
    canonicalJson(signed)
    return true
  } catch {
    return false
  }
}

async function checkKey(certificate: Certificate, keys: readonly SigningKey[] | undefined): Promise<Finding> {
  const { keyId, publicKey, issuedAt } = certificate
  const line = (holds: boolean | null, detail: string): Finding => ({ check: 'key', holds, detail })
  if ((await signingKeyId(publicKey)) !== keyId) return line(false, 'The key in the certificate does not match its key ID.')
  if (keys === undefined)
    return line(null, `No key file was provided, so it is not known whose key this is. Compare the key ID with the organization: ${keyId}.`)
  const key = keys.find(({ kid }) => kid === keyId)
  if (key === undefined) return line(false, `The key ${keyId} is not in the key file.`)
  const at = Date.parse(issuedAt)
  if (typeof key.createdAt === 'string' && at < Date.parse(key.createdAt))
    return line(false, `The certificate is dated ${issuedAt}, before its key existed (${key.createdAt}).`)
  if (typeof key.retiredAt === 'string' && at > Date.parse(key.retiredAt))
    return line(false, `The certificate is dated ${issuedAt}, after its key was retired (${key.retiredAt}).`)
  return line(true, 'The key is in the key file and was in use at the time.')
}

function checkSigners({ signers, issuedAt }: Certificate): Finding {
  const line = (holds: boolean, detail: string): Finding => ({ check: 'signers', holds, detail })
  if (signers.length === 0) return line(false, 'Nobody signed.')
  const blank = signers.findIndex(({ name, wording, method }) => [name, wording, method].some((text) => text.trim() === ''))
  if (blank !== -1) return line(false, `Signer ${blank + 1} is missing a name, method or consent wording.`)
  const late = signers.find(({ signedAt }) => Date.parse(signedAt) > Date.parse(issuedAt))
  if (late !== undefined) return line(false, `${late.name} signed at ${late.signedAt}, after the certificate was issued.`)
  return line(true, `Signed by ${signers.map(({ name, signedAt, method }) => `${name} (${method}, ${signedAt})`).join(', ')}.`)
}

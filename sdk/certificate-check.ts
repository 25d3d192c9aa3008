/** A statement about a certificate, or about the chain of several. */
export interface CertificateCheck {
  /** The name of the file, a certificate or a PDF with one; null for a statement about several files. */
  readonly file: string | null
  readonly check: 'format' | 'canonical' | 'content' | 'signature' | 'key' | 'signers' | 'totals' | 'seal' | 'pdf' | 'chain'
  /** Null if it could not be checked. */
  readonly holds: boolean | null
  /** One sentence for people. */
  readonly detail: string
}

/** What a check found, without the file. */
export type Finding = Omit<CertificateCheck, 'file'>

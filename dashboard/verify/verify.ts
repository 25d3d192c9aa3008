import { parseSigningKeys, verifyCertificates, type CertificateCheck, type SigningKey } from '@groundwork/sdk'
import './verify.css'

const labels: Record<CertificateCheck['check'], string> = {
  format: 'Format',
  canonical: 'File',
  content: 'Content',
  signature: 'Signature',
  key: 'Key',
  signers: 'Signers',
  totals: 'Totals',
  seal: 'Seal',
  pdf: 'Attached offer',
  chain: 'Chain',
}

const certificates = element('certificates', HTMLInputElement)
const keys = element('keys', HTMLInputElement)
const outcome = element('outcome', HTMLElement)
const results = element('results', HTMLElement)

for (const input of [certificates, keys]) input.addEventListener('change', () => void verifyChosen())
void verifyChosen()

/** Verifies the chosen files and shows the result. Browsers can keep the choice when the page is loaded again. */
async function verifyChosen(): Promise<void> {
  const chosen = Array.from(certificates.files ?? [])
  results.replaceChildren()
  outcome.textContent = chosen.length === 0 ? '' : 'Verifying…'
  if (chosen.length === 0) return
  try {
    const files = await Promise.all(chosen.map(async (file) => ({ name: file.name, content: new Uint8Array(await file.arrayBuffer()) })))
    const checks = await verifyCertificates(files, { keys: await chosenKeys() })
    results.replaceChildren(...[...new Set(checks.map(({ file }) => file))].map((file) => sectionOf(file, checks)))
    outcome.textContent = summaryOf(checks)
  } catch (error) {
    outcome.textContent = error instanceof Error ? error.message : String(error)
  }
}

async function chosenKeys(): Promise<readonly SigningKey[]> {
  const [file] = keys.files ?? []
  if (file !== undefined) return parseSigningKeys(await file.text())
  return parseSigningKeys(document.querySelector<HTMLMetaElement>('meta[name=signing-keys]')?.content ?? '')
}

function summaryOf(checks: readonly CertificateCheck[]): string {
  const failed = checks.filter(({ holds }) => holds === false).length
  const unchecked = checks.filter(({ holds }) => holds === null).length
  if (failed > 0) return failed === 1 ? '1 check failed.' : `${failed} checks failed.`
  if (unchecked > 0) return `No checks failed, but ${unchecked} could not be run.`
  return 'All checks passed.'
}

function sectionOf(file: string | null, checks: readonly CertificateCheck[]): HTMLElement {
  const section = document.createElement('section')
  const heading = document.createElement('h2')
  heading.textContent = file ?? 'All files'
  const list = document.createElement('ul')
  list.append(...checks.filter((check) => check.file === file).map(lineOf))
  section.append(heading, list)
  return section
}

function lineOf({ check, holds, detail }: CertificateCheck): HTMLElement {
  const line = document.createElement('li')
  const result = document.createElement('strong')
  line.className = holds === null ? 'unchecked' : holds ? 'holds' : 'fails'
  result.textContent = `${labels[check]}: ${holds === null ? 'not checked' : holds ? 'passed' : 'failed'}`
  line.append(result, ' ', detail)
  return line
}

function element<E extends HTMLElement>(id: string, type: new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`)
  return found
}

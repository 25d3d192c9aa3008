import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../program.ts'
import { chromiumPath, expectNoFaults, expectNoSidewaysScroll, sharedDashboard, tabTo, violationsOf } from './browser.ts'

const guide = await readFile(join(root, 'docs/certificates.md'), 'utf8')
const [, certificate = ''] = /^```text certificate\.json\n(.*)\n```$/m.exec(guide) ?? []
const [, keys = ''] = /^```text keys\.json\n(.*)\n```$/m.exec(guide) ?? []

const file = (name: string, content: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
const outcome = (page: Page) => page.getByRole('status')

describe.skipIf(chromiumPath === undefined)('the page /verify', () => {
  const at = sharedDashboard()
  let requests: string[] = []
  let page: Page

  beforeAll(async () => {
    page = await at.visit('/verify')
    page.on('request', (request) => requests.push(request.url()))
    await page.getByRole('heading', { level: 1, name: 'Verify certificates' }).waitFor()
  })

  test('is reached by keyboard, and names each line of a certificate that holds with the given keys, without a request', async () => {
    requests = []
    await tabTo(page, page.getByLabel('Certificates or PDFs'))
    await page.getByLabel('Certificates or PDFs').setInputFiles(file('certificate.json', certificate))
    await page.getByText('Key: failed').waitFor()
    await page.getByText('is not in the key file').waitFor()
    await tabTo(page, page.getByText('Certificates from another server'))
    await page.keyboard.press('Enter')
    await page.getByLabel('Key file').setInputFiles(file('keys.json', keys))
    await outcome(page).getByText('All checks passed.').waitFor()
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Format: passed\s+Certificate 1 of Moss Bicycles for proposal P-1042/),
      expect.stringMatching(/^File: passed/),
      expect.stringMatching(/^Content: passed/),
      expect.stringMatching(/^Signature: passed/),
      expect.stringMatching(/^Key: passed/),
      expect.stringMatching(/^Signers: passed\s+Signed by Ada Lovelace/),
      expect.stringMatching(/^Totals: passed\s+The lines add up to 1499\.40 EUR/),
    ])
    expect(requests).toEqual([])
  })

  test('names a changed certificate among several, and a file that is none', async () => {
    const files = [
      file('good.json', certificate),
      file('changed.json', certificate.replace('Ada', '<b>Eve</b>')),
      file('photo.json', '\u0000'),
    ]
    await page.getByLabel('Certificates or PDFs').setInputFiles(files)
    await outcome(page).getByText('checks failed.').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['good.json', 'changed.json', 'photo.json', 'All files'])
    const changed = page.locator('section', { has: page.getByRole('heading', { name: 'changed.json' }) })
    await changed.getByText('Signature: failed').waitFor()
    await changed.getByText('Signed by <b>Eve</b> Lovelace').waitFor()
    await page.getByText('both are certificate 1: only one of them can be right.').waitFor()
  })

  test('is accessible in both color schemes, fits a narrow phone, and names a wrong key file', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await page.getByLabel('Key file').setInputFiles(file('keys.json', '[]'))
    await outcome(page).getByText('The key file is not a JWK Set.').waitFor()
    expectNoFaults(page)
  })

  test('has a policy that forbids every connection', async () => {
    const { headers } = await fetch(`${at.url}/verify`)
    expect(headers.get('content-security-policy')).toContain("connect-src 'none'")
    expect(await page.evaluate(`fetch('/.well-known/groundwork-keys.json').then(() => 'sent', () => 'refused')`)).toBe('refused')
  })
})

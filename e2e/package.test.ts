import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { program, root } from './program.ts'

const run = promisify(execFile)
/** A machine without Node and npm. */
const bare = { PATH: '/usr/bin:/bin' }
const packages = join(root, 'dist/packages')

test.runIf(process.platform === 'linux')(
  'the archive runs on a machine without Node, with documents, searches and PDFs of every kind',
  async () => {
    await run('npm', ['run', '--silent', 'package'], { cwd: root })
    const name = (await readdir(packages)).find((file) => file.endsWith(`linux-${process.arch}.tar.gz`)) ?? ''
    const folder = await unpacked(join(packages, name))
    const groundwork = join(folder, name.replace(/\.tar\.gz$/, ''), 'bin/groundwork')
    // Its first start makes the database from the packaged one.
    const packed = await program(onTestFinished, { ...bare, HOME: folder }, 'none', [groundwork, 'start'])
    await packed.start()
    const created = await run(groundwork, ['token', 'create', '--organization', 'Acme', '--json'], { cwd: folder, env: packed.env })
    const { token } = JSON.parse(created.stdout) as { token: string }
    const client = new Client(packed.url, token)
    const base = await client.createBase('Examples')
    for (const file of ['faq.md', 'handbook.pdf', 'opening-hours.html', 'price-list.csv', 'rental-terms.txt', 'warranty.docx']) {
      const { id } = await client.addPath(base.id, join(root, 'examples', file))
      expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed', error: null, warnings: [] })
    }
    const [hit] = await client.search(base.id, 'How long is the warranty on the frame?')
    expect(hit?.text).toMatch(/warranty/i)
    const listed = await run(groundwork, ['bases', 'list'], { env: { ...packed.env, GROUNDWORK_URL: packed.url, GROUNDWORK_TOKEN: token } })
    expect(listed.stdout).toContain('Examples')

    const contact = await client.api.contacts.create({ firstName: 'Ana', lastName: 'Žižek', email: 'ana@example.com' })
    const items = [{ description: 'Tune-up · настройка · ضبط · 🚲', quantity: '1', unitPrice: '99' }]
    const proposal = await client.api.proposals.create({ title: 'Tune-up', contactId: contact.id, currency: 'EUR', items })
    const pdf = Buffer.from(await (await client.api.proposals.pdf(proposal.id)).arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

    for (const path of [
      '/',
      '/docs',
      '/docs/retries',
      '/docs/sdk',
      '/docs/images/dashboard.png',
      '/docs/reference',
      '/docs/assets/swagger-ui-bundle.js',
      '/v1/openapi.json',
    ])
      expect((await fetch(packed.url + path)).status).toBe(200)
    expect((await run(groundwork, ['doctor'], { cwd: folder, env: packed.env })).stdout).toContain('No problems found')
    expect(await packed.stop()).toBe(0)
    expect(packed.output()).not.toContain('"level":50')
  },
  900_000,
)

test.runIf(process.platform === 'linux')(
  'npm installs the package without a registry, and its bill of materials names what it contains',
  async () => {
    const name = (await readdir(packages)).find((file) => file.endsWith(`linux-${process.arch}.tgz`)) ?? ''
    const folder = await unpacked(join(packages, name))
    const { stdout } = await run('du', ['-sm', folder])
    expect(Number.parseInt(stdout, 10)).toBeLessThan(300)

    const prefix = join(folder, 'prefix')
    await mkdir(prefix)
    const offline = ['--offline', '--ignore-scripts', '--prefix', prefix]
    await run('npm', ['install', '--global', ...offline, join(packages, name)], { cwd: folder })
    expect((await run(join(prefix, 'bin/groundwork'), ['--help'])).stdout).toContain('Usage: groundwork')

    const { components } = JSON.parse(await readFile(join(folder, 'package/sbom.json'), 'utf8')) as Materials
    expect(components.filter(({ licenses }) => licenses.length === 0)).toEqual([])
    const named = new Set(components.map(({ name: library, version }) => `${library}@${version}`))
    expect((await installedIn(join(folder, 'package/program/node_modules'))).filter((library) => !named.has(library))).toEqual([])

    const sums = (await readFile(join(packages, name.replace(/\.tgz$/, '.sha256')), 'utf8')).trim().split('\n')
    expect(sums).toHaveLength(3)
    for (const sum of sums) {
      const [hash, file = ''] = sum.split('  ')
      expect(
        createHash('sha256')
          .update(await readFile(join(packages, file)))
          .digest('hex'),
      ).toBe(hash)
      expect((await stat(join(packages, file))).size).toBeGreaterThan(0)
    }
  },
  900_000,
)

interface Materials {
  readonly components: readonly { readonly name: string; readonly version: string; readonly licenses: readonly unknown[] }[]
}

/** Returns name@version of every package in a folder, also of those inside other packages, without the program's own. */
async function installedIn(modules: string): Promise<string[]> {
  const files = await readdir(modules, { recursive: true })
  const manifests = files.filter(
    (file) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file) && !/^@groundwork\/[^/]+\/package/.test(file),
  )
  return Promise.all(
    manifests.map(async (file) => {
      const { name, version } = JSON.parse(await readFile(join(modules, file), 'utf8')) as { name: string; version: string }
      return `${name}@${version}`
    }),
  )
}

/** Unpacks an archive into a folder outside of the repository. */
async function unpacked(file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-packed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await run('tar', ['-xzf', file, '-C', folder])
  return folder
}

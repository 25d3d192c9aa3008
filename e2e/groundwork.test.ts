import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createToken, engineName, freePort, pause, program, root, type Program } from './program.ts'

interface Ran {
  stdout: string
  stderr: string
  code: number | null
}

// Every command starts a process.
describe(`the command line and the built program on the ${engineName()}`, { timeout: 600_000 }, () => {
  const ends: (() => Promise<void>)[] = []
  let groundwork: Program
  let token: string
  let folder: string

  const start = (words: string[], env: Record<string, string> = {}): { child: ChildProcess; output: () => Ran; ended: Promise<Ran> } => {
    const child = spawn(process.execPath, ['cli/bin/groundwork.js', ...words], {
      cwd: root,
      env: { ...groundwork.env, GROUNDWORK_URL: groundwork.url, GROUNDWORK_TOKEN: token, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ran: Ran = { stdout: '', stderr: '', code: null }
    child.stdout.on('data', (data: Buffer) => (ran.stdout += data.toString()))
    child.stderr.on('data', (data: Buffer) => (ran.stderr += data.toString()))
    const ended = new Promise<Ran>((done) => child.once('close', (code) => done({ ...ran, code })))
    return { child, output: () => ran, ended }
  }
  const run = (words: string[], env?: Record<string, string>): Promise<Ran> => start(words, env).ended
  const records = async (...words: string[]): Promise<Record<string, unknown>[]> => {
    const { stdout, stderr, code } = await run([...words, '--json'])
    expect([stderr, code]).toEqual(['', 0])
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'groundwork-cli-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const pagesPort = await freePort()
    groundwork = await program((end) => ends.push(end), { FETCH_ALLOW_HOSTS: `127.0.0.1:${pagesPort}` })
    await groundwork.start()
    token = (await createToken(groundwork)).token
    const pages = spawn(process.execPath, ['examples/serve.mjs', String(pagesPort)], { cwd: root, stdio: 'ignore' })
    ends.push(async () => void pages.kill())
    page = `http://127.0.0.1:${pagesPort}/opening-hours.html`
    while (!(await fetch(page).catch(() => undefined))) await pause(50)
  }, 600_000)
  let page: string
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test('adds files and a page, waits for them, searches, lists and deletes them', async () => {
    const created = await run(['bases', 'create', 'Staff handbook', '--description', 'For the desk'])
    expect(created).toMatchObject({ stdout: expect.stringMatching(/^kb_[0-9a-f-]{36}\n$/), code: 0 })
    const added = await run(['sources', 'add', 'Staff handbook', 'examples/handbook.pdf', 'examples/faq.md', page, '--watch'])
    expect(added.code).toBe(0)
    for (const name of ['handbook.pdf', 'faq.md', page]) expect(added.stdout).toMatch(new RegExp(`✓ ${name}  completed, \\d+ chunks  src_`))
    expect(added.stdout).toMatch(/handbook\.pdf {2}(queued|fetching|extracting|chunking|embedding|indexing)/)
    expect(added.stdout).not.toContain('\x1b')

    const found = await run(['search', 'Staff handbook', 'How', 'much', 'is', 'the', 'deposit', 'for', 'an', 'e-bike?', '--top', '1'])
    expect(found.stdout).toMatch(/^0\.\d\d {2}handbook\.pdf, page 2 › /)
    expect(found.stdout).toContain('£350')
    const [reply] = await records('search', created.stdout.trim(), 'When does the rental desk open on Sundays?', '--top', '1')
    expect(reply).toMatchObject({ data: [{ sourceName: page }] })

    const listed = await records('sources', 'list', 'Staff handbook', '--type', 'file')
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['faq.md', 'handbook.pdf'])
    const id = String(listed[0]?.['id'])
    expect((await run(['sources', 'delete', 'Staff handbook', id])).stdout).toBe(`deleted ${id}\n`)
    expect((await run(['bases', 'list'])).stdout).toMatch(/ID +NAME +SOURCES[^]*Staff handbook +2/)
    const kept = await run(['bases', 'delete', 'Staff handbook'])
    expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect((await run(['bases', 'delete', 'Staff handbook', '--yes'])).code).toBe(0)
    expect(await records('bases', 'list')).toEqual([])
  })

  test('reports a failed source with its reason and exit code 1, processes the others, and retries it', async () => {
    await writeFile(join(folder, 'blank.txt'), ' \n')
    await run(['bases', 'create', 'Failing'])
    const added = await run(['sources', 'add', 'Failing', join(folder, 'blank.txt'), 'examples/rental-terms.txt', '--watch'])
    expect(added.code).toBe(1)
    expect(added.stdout).toMatch(/✗ blank\.txt {2}failed: .* \[empty_content, src_[0-9a-f-]+\]/)
    expect(added.stdout).toMatch(/✓ rental-terms\.txt {2}completed/)
    const [failed] = await records('sources', 'list', 'Failing', '--status', 'failed')
    const again = await run(['sources', 'retry', 'Failing', String(failed?.['id']), '--watch', '--json'])
    expect([again.code, JSON.parse(again.stdout)]).toEqual([1, expect.objectContaining({ status: 'failed', errorCode: 'empty_content' })])
    expect((await run(['sources', 'watch', 'Failing'])).code).toBe(0)
  })

  test('exports all records page by page as JSON lines, or as CSV without spreadsheet formulas', async () => {
    const { token: own } = await createToken(groundwork, '--name', 'export')
    const asOther = { GROUNDWORK_TOKEN: own }
    const add = (body: object): Promise<Response> =>
      fetch(`${groundwork.url}/v1/contacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    for (let count = 0; count < 120; count++) await add({ firstName: 'Number', lastName: String(count), tags: ['many'] })
    await add({ firstName: '=1+1', lastName: 'He said "no", twice', phone: '+442071838750' })
    const { stdout: lines } = await run(['export', 'contacts'], asOther)
    const contacts = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { lastName: string })
    expect(contacts).toHaveLength(121)
    expect(new Set(contacts.map(({ lastName }) => lastName)).size).toBe(121)
    const { stdout: csv } = await run(['export', 'contacts', '--format', 'csv'], asOther)
    const rows = csv.split('\r\n')
    expect(rows[0]).toMatch(/^id,externalId,firstName,lastName,email,emails,phone,phones,jobTitle,/)
    expect(rows).toHaveLength(123)
    expect(rows[1]).toContain(`,'=1+1,"He said ""no"", twice",,[],+442071838750,"[{""value"":""+442071838750"",`)
    for (const what of ['proposals', 'bases', 'sources', 'audit', 'events'])
      expect((await run(['export', what, '--format', 'csv'], asOther)).code).toBe(0)
  })

  test('imports, finds, exports, merges and erases contacts', async () => {
    const { token: own } = await createToken(groundwork, '--organization', 'Contacts')
    const env = { GROUNDWORK_TOKEN: own }
    const file = join(folder, 'contacts.csv')
    await writeFile(
      file,
      'First Name,Last Name,Email,Phone\nAda,Moss,ada@example.com,+442079460018\nAda,Mosss,a@moss.example,\nBen,Wood,nobody,\n',
    )
    const counted = await run(['contacts', 'import', file, '--dry-run'], env)
    expect(counted).toMatchObject({ code: 1, stdout: expect.stringContaining('would have created 2, updated 0, unchanged 0, failed 1') })
    const imported = await run(['contacts', 'import', file, '--tags', 'fair,vip'], env)
    expect(imported).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/created 2, .*failed 1 {2}imp_/),
      stderr: expect.stringContaining('1 rows failed'),
    })
    expect(await readFile(`${file}.errors.csv`, 'utf8')).toContain('Ben,Wood,nobody,,4,email,')
    expect(await run(['contacts', 'import', join(folder, 'none.csv')], env)).toMatchObject({ code: 2 })

    const found = await run(['contacts', 'find', 'Ada', 'Mos', '--json'], env)
    const contacts = found.stdout.trim().split('\n').map((line) => (JSON.parse(line) as { contact: { id: string; lastName: string } }).contact) // prettier-ignore
    const [ada = '', other = ''] = contacts.toSorted((a, b) => a.lastName.length - b.lastName.length).map(({ id }) => id)
    expect((await run(['contacts', 'find', 'moss'], env)).stdout).toMatch(/SCORE +ID +NAME[^]*Ada Moss +ada@example\.com/)
    const exported = join(folder, 'export.csv')
    expect((await run(['contacts', 'export', '-o', exported, '--filter', '{"key": "tags", "eq": "vip"}'], env)).stdout).toBe(
      `wrote ${exported}\n`,
    )
    expect((await readFile(exported, 'utf8')).split('\r\n')).toHaveLength(4)
    expect((await run(['contacts', 'import', exported], env)).stdout).toContain('created 0, updated 0, unchanged 2, failed 0')
    expect((await run(['contacts', 'export', '--format', 'jsonl'], env)).stdout.trim().split('\n')).toHaveLength(2)
    expect(
      (await run(['contacts', 'export', '--format', 'jsonl', '--query', 'ada@example.com'], env)).stdout.trim().split('\n'),
    ).toHaveLength(1)
    expect(await run(['contacts', 'export', '--filter', '{'], env)).toMatchObject({ code: 2 })

    expect((await run(['contacts', 'merge', ada, other, '--dry-run'], env)).stdout).toMatch(
      /^would merge 1 contact into "Ada Moss", with \d+ events\n$/,
    )
    expect(await run(['contacts', 'merge', ada, other], env)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect((await run(['contacts', 'merge', ada, other, '--yes'], env)).stdout).toBe(`merged into ${ada}\n`)
    expect((await run(['contacts', 'erase', ada, '--dry-run'], env)).stdout).toContain('would erase 1 merged contacts')
    expect(await run(['contacts', 'erase', ada], env)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    const erased = (await run(['contacts', 'erase', ada, '--prevent-reimport', '--yes'], env)).stdout
    expect(erased).toContain('erased 1 contact\n')
    expect(erased).toMatch(/^keeps \d+ hashes/m)
    expect((await run(['contacts', 'find', 'moss'], env)).stdout).not.toContain('ctc_')
  })

  test('creates, rotates and revokes tokens, and only shows a secret when it is created', async () => {
    const [made] = await records('tokens', 'create', 'reader', '--scopes', 'bases:read', '--expires', '7')
    const reader = { GROUNDWORK_TOKEN: String(made?.['token']) }
    expect((await run(['bases', 'list'], reader)).code).toBe(0)
    const refused = await run(['bases', 'create', 'x'], reader)
    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/^error: .*bases:write.*\(req_[0-9a-f-]+\)\n$/) })
    const rotated = await run(['tokens', 'rotate', String(made?.['id'])])
    expect(rotated.stdout).toMatch(/^gw_[0-9A-Za-z]{38}\n$/)
    expect((await run(['bases', 'list'], reader)).code).toBe(4)
    await run(['tokens', 'revoke', String(made?.['id'])])
    const listed = await run(['tokens', 'list'])
    expect(listed.stdout).toMatch(/reader +…\w{4} +revoked/)
    expect(listed.stdout).not.toContain('gw_')
  })

  test('follows events until Ctrl-C', async () => {
    const tail = start(['events', 'tail', '--types', 'base.created', '--json'])
    onTestFinished(() => void tail.child.kill('SIGKILL'))
    for (let count = 0; !tail.output().stdout.includes('\n'); count++) await run(['bases', 'create', `Followed ${count}`])
    tail.child.kill('SIGINT')
    const { code, stdout, stderr } = await tail.ended
    expect([code, stderr]).toEqual([130, ''])
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'base.created' })
  })

  test('reports an error in one line with a remedy and an exit code', async () => {
    const unknown = 'gw_00000000000000000000000000000000000000'
    const cases: [words: string[], code: number, text: string | RegExp, env?: Record<string, string>][] = [
      [['sorces', 'list'], 2, 'did you mean "sources list"?'],
      [['sources', 'add', 'x', 'no-such-file.pdf'], 2, 'the file no-such-file.pdf does not exist'],
      [['sources', 'list', 'No such base'], 2, 'there is no knowledge base "No such base"'],
      [['bases', 'list'], 2, 'no API token: set GROUNDWORK_TOKEN', { GROUNDWORK_TOKEN: '' }],
      [['bases', 'list', '--url', 'nowhere'], 2, 'is not an http or https URL'],
      [['bases', 'list', '--url', `http://127.0.0.1:${await freePort()}`], 3, 'check that Groundwork is running'],
      [['bases', 'list'], 4, /set GROUNDWORK_TOKEN to a valid token \(req_/, { GROUNDWORK_TOKEN: unknown }],
      [['bases', 'list', '--token', unknown], 4, 'GROUNDWORK_TOKEN'],
      [['tokens', 'revoke', 'tok_x'], 1, /find its id with "tokens list" \(req_/],
      [['export', 'contact'], 2, 'did you mean "contacts"?'],
      [['events', 'tail', '--types', 'base.create'], 2, 'did you mean "base.created"?'],
    ]
    for (const [words, code, text, env] of cases) {
      const ran = await run(words, env)
      expect([words, ran.code, ran.stdout]).toEqual([words, code, ''])
      expect(ran.stderr).toMatch(text)
      expect(ran.stderr).toMatch(/^error: .+\n$/)
      expect(ran.stderr).not.toMatch(/gw_/)
    }
    const machine = await run(['tokens', 'revoke', 'tok_x', '--json'])
    expect(JSON.parse(machine.stderr)).toMatchObject({ error: { code: 'not_found', requestId: expect.stringMatching(/^req_/) } })
  })

  test('exits with 2 if the arguments of an operator command are invalid', async () => {
    const cases: [words: string[], text: string][] = [
      [['token'], 'Unknown command: token'],
      [['token', 'create'], '--organization NAME is required.'],
      [['token', 'create', '--organization', 'org_unknown'], 'There is no organization with the id org_unknown.'],
      [['token', 'create', '--organization', 'Acme', '--scopes', 'contacts'], 'Unknown scope: contacts.'],
      [['token', 'create', '--organization', 'Acme', '--expires', 'soon'], '--expires must be a number of days greater than 0.'],
      [['token', 'create', '--organisation', 'Acme'], "Unknown option '--organisation'"],
      [['doctor', '--grace', '-1'], "'--grace' argument is ambiguous"],
      [['doctor', '--grace=-1'], '--grace must be a number of seconds, 0 or more.'],
      [['model', 'check'], 'model check needs one folder'],
      [['storage', 'move', '--to', 'nowhere'], '--to '],
      [['upgrade'], 'upgrade needs either --check or --rehearse FILE.'],
      [['backup'], 'backup needs one file.'],
      [['index', 'repair'], 'index verify'],
      [['organizations', 'rename'], 'Unknown command: organizations rename'],
      [['organizations', 'show'], 'organizations show needs one argument.'],
      [['organizations', 'show', 'Nobody'], 'There is no organization named Nobody.'],
      [['organizations', 'export', 'Acme'], 'organizations export needs a name and a file.'],
      [['jobs', 'list', '--state', 'lost'], '--state must be one of'],
    ]
    for (const [words, text] of cases) {
      const { code, stdout, stderr } = await run(words)
      expect([words, code, stdout, stderr]).toEqual([words, 2, '', expect.stringContaining(text)])
    }
    // A valid command that fails.
    expect((await run(['backup', 'verify', join(folder, 'missing.tar')])).code).toBe(1)
  })

  test('has operator and API commands in one help', async () => {
    const made = await run(['token', 'create', '--organization', 'Acme', '--json'])
    expect(JSON.parse(made.stdout)).toEqual({ token: expect.any(String), id: expect.any(String), organizationId: expect.any(String) })
    const { organizationId } = JSON.parse(made.stdout) as { organizationId: string }
    const again = await run(['token', 'create', '--organization', organizationId, '--json'])
    expect([JSON.parse(again.stdout), again.stderr]).toEqual([expect.objectContaining({ organizationId }), ''])
    const other = await run(['token', 'create', '--organization', 'Other Ltd', '--json'])
    expect(other.stderr).toBe(`Created the organization Other Ltd (${JSON.parse(other.stdout).organizationId}).\n`)
    const { stdout, code } = await run(['--help'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/sources add BASE[^]*token create --organization NAME[^]*Exit codes/)])
    expect((await run(['sources', 'add', '--help'], { GROUNDWORK_TOKEN: '' })).stdout).toContain('--scrape')
  })
})

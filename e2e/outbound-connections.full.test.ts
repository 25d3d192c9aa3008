import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { root } from './program.ts'

/** Idle time in seconds. onnxruntime-node with telemetry connects within 24 s. `QUIET_SECONDS` overrides it. */
const quietSeconds = Number(process.env['QUIET_SECONDS'] ?? 45)

/**
 * Runs a command in a network namespace with only a loopback interface, with its own name server in /etc/resolv.conf and an
 * overlay file system. After the output of the command it prints the files that were written, each after `written `.
 */
const stage = `
  set -eu
  ip link set lo up
  stage=$(mktemp -d)
  mount -t tmpfs tmpfs "$stage"
  mkdir "$stage/written" "$stage/work" "$stage/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$stage/written,workdir=$stage/work" "$stage/root"
  mount -t proc proc "$stage/root/proc"
  mount --rbind /dev "$stage/root/dev"
  mkdir -p "$stage/root/home/newcomer"
  rm -f "$stage/root/etc/resolv.conf"
  echo 'nameserver 127.0.0.1' > "$stage/root/etc/resolv.conf"
  code=0
  chroot "$stage/root" "$@" || code=$?
  cd "$stage/written"
  find . -type f -printf 'written /%P\\n'
  exit $code
`
const unshare = ['--net', '--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', stage, 'stage']

/** Whether this machine supports that, with the clone on its root file system. */
const isPermitted = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'test', '-e', `${root}/package.json`]).status === 0

interface Witnessed {
  readonly lookups: string[]
  readonly connections: number[]
  readonly text?: string
  /** Status or error of the source whose site needs a browser. */
  readonly site?: string
  /** Written files outside the data folder and the temporary folder. */
  readonly files: string[]
}

const home = '/home/newcomer'
const dataDir = '/var/lib/groundwork-data'
/** Files that the test environment writes itself. */
const own = ['/etc/resolv.conf']

async function witness(port: string, seconds: number): Promise<Witnessed> {
  const settings = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    PORT: port,
    DATA_DIR: dataDir,
    FETCH_ALLOW_HOSTS: '127.0.0.1:4010',
    ...(chromiumPath !== undefined && { CHROMIUM_PATH: chromiumPath }),
  }
  const env = ['/usr/bin/env', '-i', '-C', root, ...Object.entries(settings).map((setting) => setting.join('='))]
  const words = [process.execPath, '--conditions=source', '--import', 'tsx', 'e2e/network-witness.ts', port, String(seconds)]
  const { stdout } = await promisify(execFile)('unshare', [...unshare, ...env, ...words], { cwd: root, maxBuffer: 1e8 })
  const lines = stdout.split('\n')
  const files = lines.flatMap((line) => (line.startsWith('written /') ? [line.slice('written '.length)] : []))
  return {
    ...(JSON.parse(lines.findLast((line) => line.startsWith('{"') && line.includes('"lookups"')) ?? '') as Omit<Witnessed, 'files'>),
    files: files.filter((file) => ![`${dataDir}/`, '/tmp/', ...own].some((allowed) => file.startsWith(allowed))),
  }
}

describe.skipIf(!isPermitted)('in a separate network namespace (needs root, unshare and overlayfs)', { timeout: 600_000 }, () => {
  test('npm start, an upload, a crawl and a search look up no name, make no connection, and only write to DATA_DIR and the temporary folder', async () => {
    console.log(`Groundwork runs for ${quietSeconds} s`)
    const { text, site, ...seen } = await witness('4000', quietSeconds)
    expect(text).toContain('£350')
    // Without Chromium, the page has no text.
    expect(site).toMatch(chromiumPath === undefined ? /runs scripts/ : /^completed$/)
    expect(seen).toEqual({ lookups: [], connections: [], files: [] })
  })

  test('the test detects the telemetry of onnxruntime-node', async () => {
    const { lookups, connections, files } = await witness('runtime', 120)
    expect(lookups.join(' ')).toContain('.microsoft.com')
    expect(connections).toContain(443)
    expect(files.join(' ')).toContain(`${home}/.cache/Microsoft/`)
  })
})

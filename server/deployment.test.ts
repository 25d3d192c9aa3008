import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from './config.ts'

const folder = join(import.meta.dirname, '../deploy')
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
/** Values that operators set. */
const secrets = {
  DOMAIN: 'groundwork.example.com',
  POSTGRES_PASSWORD: 'abc123',
  SECRET_KEY: 'a secret key of more than 32 characters',
  METRICS_TOKEN: '0123456789abcdef',
  DATABASE_URL: 'postgres://groundwork:abc123@database/groundwork',
}

type Settings = Record<string, string>
const image: Settings = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(await read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
)

describe('the compose file', () => {
  const compose = (async () => parse(await read('compose.yaml')))()

  it('starts the program with valid settings', async () => {
    const { environment } = (await compose).services.groundwork
    const set = Object.fromEntries(Object.entries(environment as Settings).map(([name, value]) => [name, substituted(value)]))
    expect(readConfig({ ...image, ...set })).toMatchObject({
      BASE_URL: 'https://groundwork.example.com',
      DATABASE_URL: 'postgres://groundwork:abc123@database:5432/groundwork',
      DATA_DIR: '/data',
    })
  })

  it('has a read-only program, whose files and whose database are in volumes', async () => {
    const { services, volumes } = await compose
    expect(services.groundwork).toMatchObject({ read_only: true, tmpfs: ['/tmp'], volumes: ['files:/data'] })
    expect(services.database.volumes).toEqual(['database:/var/lib/postgresql/data'])
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(['files', 'database']))
  })

  it('reaches the program through the proxy alone', async () => {
    const { services } = await compose
    expect([services.groundwork.ports, services.database.ports]).toEqual([undefined, undefined])
    expect(await read('Caddyfile')).toContain(`reverse_proxy groundwork:${image['PORT']} {`)
  })
})

/** Returns a value of the compose file with the variables of `secrets`. */
const substituted = (value: string): string => value.replaceAll(/\$\{(\w+):\?\}/g, (_, name: keyof typeof secrets) => secrets[name])

describe('the Kubernetes manifests', async () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- resources of many kinds
  const resources: any[] = parseAllDocuments(await read('kubernetes/groundwork.yaml')).map((document) => document.toJS())
  const named = (kind: string, name: string) => resources.find((each) => each.kind === kind && each.metadata.name === name)
  const deployments = resources.filter(({ kind }) => kind === 'Deployment')

  it.each(deployments.map((each) => [each.metadata.name, each]))('%s starts with valid settings and the shared files', (_, deployment) => {
    const { template, selector } = deployment.spec
    const [container] = template.spec.containers
    const ofContainer = Object.fromEntries(container.env.map(({ name, value }: { name: string; value: string }) => [name, value]))
    const { SECRET_KEY, METRICS_TOKEN, DATABASE_URL } = secrets
    const shared = named('ConfigMap', 'groundwork').data
    const config = readConfig({ ...image, ...shared, SECRET_KEY, METRICS_TOKEN, DATABASE_URL, ...ofContainer })
    expect(config.ROLE).toBe(selector.matchLabels.role)
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(config.DRAIN_SECONDS + 10)
    expect(container.ports).toEqual([{ name: 'http', containerPort: config.PORT }])
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([config.DATA_DIR, '/tmp'])
    const [files] = template.spec.volumes
    expect(named('PersistentVolumeClaim', files.persistentVolumeClaim.claimName).spec.accessModes).toEqual(['ReadWriteMany'])
  })

  it('send requests to the programs that are ready', () => {
    const api = named('Deployment', 'groundwork-api').spec
    expect(named('Service', 'groundwork').spec).toMatchObject({ selector: api.selector.matchLabels, ports: [{ targetPort: 'http' }] })
    expect(named('PodDisruptionBudget', 'groundwork-api').spec.selector).toEqual(api.selector)
    expect(api.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    // A program that stops is taken out before it ends its drain.
    const { periodSeconds, failureThreshold } = api.template.spec.containers[0].readinessProbe
    expect(periodSeconds * failureThreshold).toBeLessThan(Number(named('ConfigMap', 'groundwork').data.DRAIN_SECONDS))
  })

  it('add workers while jobs wait', () => {
    const { scaleTargetRef } = named('HorizontalPodAutoscaler', 'groundwork-worker').spec
    expect(named(scaleTargetRef.kind, scaleTargetRef.name)).toBeDefined()
  })
})

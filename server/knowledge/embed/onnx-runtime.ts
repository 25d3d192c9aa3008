import { isMainThread } from 'node:worker_threads'

const variable = 'ORT_DISABLE_TELEMETRY'

/**
 * Disables the telemetry of onnxruntime-node, which is enabled by default: it keeps a device ID and a queue of events in
 * ~/.cache/Microsoft and sends them to an events host. Call it in the main thread before a worker thread loads the runtime.
 */
export function disableOnnxTelemetry(): void {
  // oxlint-disable-next-line no-restricted-properties -- a setting of the native library, written and never read
  process.env[variable] = '1'
}

/**
 * Loads onnxruntime-node, for this thread. It is the only import of the package.
 * Throws if telemetry is not disabled in the environment of the process.
 */
export async function loadOnnxRuntime(): Promise<typeof import('onnxruntime-node')> {
  if (isMainThread) disableOnnxTelemetry()
  if (processEnvironment()[variable] !== '1')
    throw new Error(
      `onnxruntime-node would send telemetry: call disableOnnxTelemetry in the main thread, or start the process with ${variable}=1`,
    )
  // oxlint-disable-next-line no-restricted-imports -- the check above comes before it
  return import('onnxruntime-node')
}

/**
 * Returns the environment that native libraries read. The `process.env` of a worker thread is a copy, and assignments to it do
 * not reach them; a report reads the environment of the process in about 15 ms.
 */
function processEnvironment(): Record<string, string | undefined> {
  // Without this, a report asks name servers for the names of all connected addresses.
  Object.assign(process.report, { excludeNetwork: true })
  return environmentOf(process.report.getReport())
}

/** A report is an object with the environment as one of its sections: https://nodejs.org/docs/latest-v20.x/api/report.html */
function environmentOf(report: object): Record<string, string | undefined> {
  return (report as { environmentVariables: Record<string, string | undefined> }).environmentVariables
}

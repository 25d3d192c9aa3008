import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useChange } from './change.ts'

interface DownloadButtonProps {
  label: string
  /** The tooltip. */
  help?: string
  /** Saves the file. */
  download: () => Promise<void>
}

/** A button that saves a file, and shows a notification on failure. */
export function DownloadButton({ label, help, download }: DownloadButtonProps) {
  const saving = useChange(download)
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      title={help}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {label}
    </Button>
  )
}

import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

export default function ThemeChoice() {
  const { theme } = useWords(sharedWords)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choices: { value: MantineColorScheme; label: string }[] = [
    { value: 'light', label: theme.light },
    { value: 'dark', label: theme.dark },
    { value: 'auto', label: theme.auto },
  ]
  return (
    <SegmentedControl
      fullWidth
      size="sm"
      aria-label={theme.legend}
      data={choices}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
    />
  )
}

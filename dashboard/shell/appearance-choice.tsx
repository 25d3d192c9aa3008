import { SegmentedControl, Stack, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { chooseDensity, currentDensity, densities, type Density } from '../lib/density.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** The choices of a person about the look of the dashboard, kept in the browser. */
export default function AppearanceChoice() {
  return (
    <Stack gap={8}>
      <ThemeChoice />
      <DensityChoice />
    </Stack>
  )
}

function ThemeChoice() {
  const { theme } = useMessages(sharedMessages)
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

function DensityChoice() {
  const { density: words } = useMessages(sharedMessages)
  const [density, setDensity] = useState(currentDensity)
  const choose = (chosen: Density): void => {
    chooseDensity(chosen)
    setDensity(chosen)
  }
  return (
    <SegmentedControl
      fullWidth
      size="sm"
      aria-label={words.legend}
      data={densities.map((value) => ({ value, label: words[value] }))}
      value={density}
      onChange={choose}
    />
  )
}

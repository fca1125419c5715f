import MooringCommands

await Program.run()

import MooringCommands

await MooringCommand.main()

internal import YapBenchCommand

Program.main()

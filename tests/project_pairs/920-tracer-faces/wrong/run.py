from tracers.model import main

if __name__ == "__main__":
    main()

from finstudy.study import main

if __name__ == "__main__":
    main()

# message tags
TAG_WORK = 1
TAG_RESULT = 2
TAG_STOP = 3

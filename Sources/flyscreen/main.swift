print("flyscreen")

dev? = System.get_env("SVC_DEV") not in [nil, ""]
ExUnit.start(exclude: if(dev?, do: [], else: [:dev]))

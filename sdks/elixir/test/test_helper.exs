dev? = System.get_env("SVC_DEV") not in [nil, ""]
ExUnit.start(exclude: if(dev?, do: [], else: [:dev]))

# Made once, before tests run beside each other.
Svc.World.make_keys()

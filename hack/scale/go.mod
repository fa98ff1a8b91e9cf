module fakegpu.dev/hack/scale

go 1.26

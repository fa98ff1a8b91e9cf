package dev.fakegpu.e2e.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random API objects as JSON, most of which the API server accepts. The same seed always gives the same objects. */
final class RandomObjects {

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "2",
            "7",
            "1Gi",
            "40Gi",
            "1n",
            "1e-30",
            "0.1",
            "1e30",
            "9223372036854775807",
            "8191Pi",
            "-1",
            "1e9000000");

    /** The number of {@link #SELECTORS}, from the first, that match every device of the FakeGpus. */
    private static final int MATCHING = 3;

    private static final List<String> SELECTORS = List.of(
            "true",
            "device.driver.endsWith('fuzz.example.com')",
            "device.attributes[device.driver].productName.startsWith('NVIDIA')",
            "false",
            "device.driver == 'fuzz.example.com'",
            "device.driver.matches('^fuzz[.]')",
            "device.attributes['fuzz.example.com'].type == 'gpu'",
            "device.attributes['fuzz.example.com'].productName.startsWith('NVIDIA')",
            "device.capacity['fuzz.example.com'].memory.isGreaterThan(quantity('20Gi'))",
            "device.capacity['fuzz.example.com'].memory.add(quantity('1e9000000')).isLessThan(quantity('1'))",
            "device.attributes['nobody.example.com'].x == 1",
            "device.allowMultipleAllocations",
            "lists.range(100).all(i, lists.range(100).exists(j, i == j))",
            "cel.bind(a, [1], cel.bind(b, a + a, cel.bind(c, b + b, c.size() == 4)))",
            "quantity('1e999999999').isInteger()",
            "duration(lists.range(3000).map(i, '1s').join('')) > duration('1s')",
            "'%.1000f'.format([1.0]).size() > 0",
            "semver('1.2.3').isLessThan(semver('2.0.0'))",
            "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
            "device.driver.replace('a', 'aaaaaaaaaaaaaaaa').replace('a', 'aaaaaaaaaaaaaa').size() > 5",
            "1 / (device.driver.size() - device.driver.size()) == 1",
            "dyn(device.driver)");

    /** The number of {@link #CLASSES}, from the first, that are those of the FakeGpus. */
    private static final int SERVED = 4;

    private static final List<String> CLASSES = List.of(
            "fuzz.example.com",
            "fuzz.example.com",
            "fuzz.example.com",
            "mig.fuzz.example.com",
            "nobody.example.com",
            "fuzz-class-1");

    private final Random random;

    RandomObjects(long seed) {
        random = new Random(seed);
    }

    /** A random one of the values. */
    <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    String claim(String name) {
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s",
                 "labels":{"fakegpu.dev/allocate":"true"}},"spec":{"devices":%s}}""".formatted(name, devices());
    }

    /** Every other request can be satisfied while there are free devices. */
    private String devices() {
        return one(2) ? simpleDevices() : oddDevices();
    }

    private String simpleDevices() {
        return listOf(
                        1 + random.nextInt(2),
                        () ->
                                "{\"name\":\"r%d\",\"exactly\":{\"deviceClassName\":\"%s\",\"count\":%d,\"selectors\":[%s]}}"
                                        .formatted(
                                                random.nextInt(1_000_000),
                                                any(CLASSES.subList(0, SERVED)),
                                                1 + random.nextInt(2),
                                                "{\"cel\":{\"expression\":\"" + any(SELECTORS.subList(0, MATCHING))
                                                        + "\"}}"))
                .transform("{\"requests\":%s}"::formatted);
    }

    private String oddDevices() {
        List<String> names = new ArrayList<>();
        String requests = listOf(1 + random.nextInt(one(10) ? 16 : 3), () -> {
            names.add("r" + names.size());
            return request(names.get(names.size() - 1));
        });
        String constraints = listOf(
                one(3) ? 1 + random.nextInt(3) : 0,
                () -> "{\"requests\":[%s],\"%s\":\"fuzz.example.com/%s\"}"
                        .formatted(
                                one(2) ? "" : "\"" + any(names) + "\"",
                                one(3) ? "distinctAttribute" : "matchAttribute",
                                any(List.of("type", "productName", "uuid", "parentUUID", "nothing"))));
        String config = listOf(
                one(3) ? 1 + random.nextInt(3) : 0,
                () -> "{\"opaque\":{\"driver\":\"fuzz.example.com\",\"parameters\":{\"kind\":%s,\"x\":%s}}}"
                        .formatted(any(List.of("\"Pod\"", "\"GpuConfig\"", "7", "{}")), json(4)));
        return "{\"requests\":%s,\"constraints\":%s,\"config\":%s}".formatted(requests, constraints, config);
    }

    private String request(String name) {
        if (one(5)) {
            int number = 1 + random.nextInt(8);
            return "{\"name\":\"%s\",\"firstAvailable\":[%s]}"
                    .formatted(
                            name,
                            IntStream.range(0, number)
                                    .mapToObj(i -> "{\"name\":\"a" + i + "\"," + what() + "}")
                                    .collect(Collectors.joining(",")));
        }
        return "{\"name\":\"%s\",\"exactly\":{%s}}".formatted(name, what());
    }

    private String what() {
        var fields = new ArrayList<String>();
        fields.add("\"deviceClassName\":\"" + any(CLASSES) + "\"");
        if (one(2)) {
            fields.add("\"selectors\":" + listOf(1 + random.nextInt(3), this::selector));
        }
        if (one(4)) {
            fields.add("\"allocationMode\":\"All\"");
        } else if (one(2)) {
            fields.add("\"allocationMode\":\"ExactCount\",\"count\":"
                    + any(List.of("1", "2", "3", "8", "32", "33", "9223372036854775807")));
        }
        if (one(5)) {
            fields.add("\"capacity\":{\"requests\":{\"%s\":\"%s\"}}"
                    .formatted(any(List.of("memory", "fuzz.example.com/memory", "nothing")), any(NUMBERS)));
        }
        if (one(5)) {
            fields.add("\"tolerations\":[{\"operator\":\"Exists\",\"tolerationSeconds\":%s,\"effect\":\"NoExecute\"}]"
                    .formatted(any(List.of("0", "-9223372036854775808", "9223372036854775807"))));
        }
        return String.join(",", fields);
    }

    private String selector() {
        String left = any(SELECTORS);
        String expression = one(3) ? "(%s) %s !(%s)".formatted(left, any(List.of("&&", "||")), any(SELECTORS)) : left;
        return "{\"cel\":{\"expression\":\"" + expression + "\"}}";
    }

    /** @param claims the names of claims that may exist */
    String pod(String name, List<String> claims) {
        String references = one(6)
                ? ""
                : IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(i -> "{\"name\":\"c%d\",\"resourceClaimName\":\"%s\"}".formatted(i, any(claims)))
                        .collect(Collectors.joining(","));
        var fields = new ArrayList<String>(List.of(
                "\"schedulerName\":\"fakegpu-scheduler\"",
                "\"terminationGracePeriodSeconds\":0",
                "\"resourceClaims\":[" + references + "]",
                "\"containers\":[{\"name\":\"main\",\"image\":\"i\",\"resources\":{\"requests\":{\"%s\":\"%s\"}}}]"
                        .formatted(any(List.of("cpu", "memory", "fuzz.example.com/gpu")), any(NUMBERS))));
        if (one(5)) {
            fields.add(
                    "\"nodeSelector\":{\"kubernetes.io/hostname\":\"" + any(List.of("fuzz-node-0", "nowhere")) + "\"}");
        }
        if (one(8)) {
            fields.add("\"nodeName\":\"" + any(List.of("fuzz-node-0", "fuzz-node-1", "nowhere")) + "\"");
        }
        if (one(5)) {
            fields.add(
                    "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":"
                            + "[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"%s\",\"values\":[\"%s\"]}]}]}}}"
                                    .formatted(
                                            any(List.of("In", "NotIn", "Gt", "Lt")),
                                            any(List.of("1", "99999999999999999"))));
        }
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}"
                .formatted(name, String.join(",", fields));
    }

    String deviceClass(String name) {
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"%s"},
                 "spec":{"selectors":%s,"config":[{"opaque":{"driver":"fuzz.example.com","parameters":{"x":%s}}}]}}""".formatted(name, listOf(1 + random.nextInt(4), this::selector), json(4));
    }

    /** A slice of a driver that has no FakeGpu. */
    String slice(String name) {
        String devices = listOf(
                1 + random.nextInt(4),
                () -> "{\"name\":\"d%d\",\"attributes\":{\"a\":{%s}},\"capacity\":{\"memory\":{\"value\":\"%s\"}}}"
                        .formatted(
                                random.nextInt(1_000_000),
                                any(List.of(
                                        "\"int\":9223372036854775807", "\"string\":\"x\"", "\"version\":\"1.0.0\"")),
                                any(NUMBERS)));
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%1$s"},
                 "spec":{"driver":"other.example.com",%2$s,
                 "pool":{"name":"%1$s","generation":%3$s,"resourceSliceCount":%4$s},"devices":%5$s}}""".formatted(
                        name,
                        any(List.of("\"nodeName\":\"fuzz-node-0\"", "\"allNodes\":true")),
                        any(List.of("1", "9223372036854775807")),
                        any(List.of("1", "3")),
                        devices);
    }

    private String listOf(int size, Supplier<String> element) {
        return IntStream.range(0, size).mapToObj(i -> element.get()).collect(Collectors.joining(",", "[", "]"));
    }

    private String json(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> any(List.of("1", "-0.0", "1.50", "1e300", "123456789012345678901234567890"));
            case 1 -> any(List.of("\"\"", "\"a < b\"", "\"\\u001b\\n\"", "\"\\ud83d\\ude00\""));
            case 2 -> any(List.of("true", "null"));
            case 3 -> "[]";
            case 4 -> "[" + json(depth - 1) + "," + json(depth - 1) + "]";
            default -> "{\"z\":" + json(depth - 1) + ",\"kind\":" + json(depth - 1) + "}";
        };
    }
}

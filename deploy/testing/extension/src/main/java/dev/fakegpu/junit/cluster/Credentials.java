package dev.fakegpu.junit.cluster;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;

/**
 * Credentials for a control plane that is started for tests.
 *
 * @param token the token of the administrator
 * @param key the key for tokens of ServiceAccounts, as PEM
 */
record Credentials(String token, String key) {

    static Credentials random() {
        return new Credentials(UUID.randomUUID().toString(), newKey());
    }

    /** The file for {@code --token-auth-file} of kube-apiserver. */
    String tokenFile() {
        return token + ",admin,admin,system:masters\n";
    }

    /** @param certificate the certificate of the API server, as PEM */
    String kubeconfig(String server, byte[] certificate) {
        return """
                apiVersion: v1
                kind: Config
                current-context: fakegpu
                contexts:
                - {name: fakegpu, context: {cluster: fakegpu, user: fakegpu}}
                clusters:
                - {name: fakegpu, cluster: {server: "%s", certificate-authority-data: %s}}
                users:
                - {name: fakegpu, user: {token: %s}}
                """.formatted(server, Base64.getEncoder().encodeToString(certificate), token);
    }

    private static String newKey() {
        try {
            String body = Base64.getMimeEncoder()
                    .encodeToString(KeyPairGenerator.getInstance("RSA")
                            .generateKeyPair()
                            .getPrivate()
                            .getEncoded());
            return "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has RSA", e);
        }
    }
}
